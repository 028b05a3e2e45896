import sharp from 'sharp';

/** Seeded random numbers. */
function dice(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Grain of one size, equal in all channels: `cell` pixels wide, with the given contrast. */
async function grain(
  random: () => number,
  width: number,
  height: number,
  cell: number,
  strength: number,
): Promise<Float32Array> {
  const [w, h] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  const small = Buffer.alloc(w * h);
  for (let i = 0; i < small.length; i++) {
    // The sum of four throws approximates a bell curve.
    const bell = (random() + random() + random() + random() - 2) * 0.87;
    small[i] = Math.max(0, Math.min(255, 128 + bell * 127));
  }
  const large = await sharp(small, { raw: { width: w, height: h, channels: 1 } })
    .resize(width, height, { kernel: cell > 1 ? 'cubic' : 'nearest', fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  return Float32Array.from(large, (value) => ((value - 128) / 128) * strength);
}

/**
 * A photo of goods on a table as a cheap phone takes it: uneven light, edges, shadows, structure of
 * every size, sensor noise. Calibrated to real AVIF and WebP weights (720 px at quality 40 about 18
 * KB, 320 px at quality 50 about 8 KB); flat drawings would flatter every byte budget.
 */
export async function photoFixture(seed: number): Promise<Buffer> {
  const [width, height] = [1440, 1080];
  const random = dice(seed * 7919 + 13);
  const colour = (light: number) =>
    `hsl(${Math.round(random() * 360)} ${Math.round(20 + random() * 45)}% ${Math.round(light + random() * 18)}%)`;
  const shapes = Array.from({ length: 7 }, (_, index) => {
    const x = width * (0.12 + random() * 0.6);
    const y = height * (0.15 + random() * 0.5);
    const w = width * (0.1 + random() * 0.3);
    const h = height * (0.1 + random() * 0.35);
    const turn = `transform="rotate(${Math.round(random() * 50 - 25)} ${x} ${y})"`;
    const body =
      index % 3 === 0
        ? `<ellipse cx="${x + w / 2}" cy="${y + h / 2}" rx="${w / 2}" ry="${h / 2}"`
        : `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${12 + random() * 30}"`;
    return `<g ${turn}>${body} fill="#000" opacity=".35" filter="url(#soft)" transform="translate(14 20)"/>${body} fill="url(#g${index})"/></g>
      <linearGradient id="g${index}" x2="${random()}" y2="1"><stop stop-color="${colour(45)}"/><stop offset="1" stop-color="${colour(22)}"/></linearGradient>`;
  });
  const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <filter id="soft"><feGaussianBlur stdDeviation="16"/></filter>
    <radialGradient id="light" cx="${0.2 + random() * 0.6}" cy=".2" r="1"><stop stop-color="${colour(70)}"/><stop offset="1" stop-color="${colour(30)}"/></radialGradient>
    <rect width="100%" height="100%" fill="url(#light)"/>${shapes.join('')}</svg>`;
  const { data } = await sharp(Buffer.from(scene))
    .flatten()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const layers = await Promise.all(
    [
      [64, 26],
      [24, 20],
      [9, 17],
      [4, 13],
      [2, 7],
      [1, 7],
    ].map(([cell = 1, strength = 1]) => grain(random, width, height, cell, strength)),
  );
  for (let pixel = 0; pixel < width * height; pixel++) {
    let sum = 0;
    for (const layer of layers) sum += layer[pixel] ?? 0;
    for (let channel = 0; channel < 3; channel++) {
      const at = pixel * 3 + channel;
      data[at] = Math.max(0, Math.min(255, (data[at] ?? 0) + sum));
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 86 })
    .toBuffer();
}
