import sharp, { type Metadata } from 'sharp';
import { grounds } from '../shared/brand/colours.ts';
import { markFiles } from '../shared/brand/mark.ts';
import { isCut } from '../shared/isCut.ts';
import type { Answer, CardPlan, Job, Kind, refusals } from './jobs.ts';
import { photoLimits, photoWidths } from './limits.ts';

/** Runs only in a picture process (worker.ts); the server never loads sharp. */

/** Blocks unneeded loaders, whatever a file claims to be. */
export function restrict(kind: Kind): void {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  const photos = [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
  ];
  sharp.unblock({
    operation: kind === 'photos' ? photos : [...photos, 'VipsForeignLoadSvgBuffer'],
  });
}

type Done = { head: Answer; files: Uint8Array[] };

/** Throws on failures other than a file that is no photo. */
export async function work(
  job: Job,
  [first = new Uint8Array(), second]: readonly Uint8Array[],
): Promise<Done> {
  switch (job.task) {
    case 'photo':
      return judged(first, widthsOf);
    case 'mark':
      return judged(first, markOf);
    case 'drawing':
      return judged(await photographed(first, job.size), widthsOf);
    case 'avif':
      return done(
        await sharp(first)
          .resize({ width: job.width })
          .avif({ quality: job.quality, effort: job.effort })
          .toBuffer(),
      );
    case 'jpeg':
      return done(
        await sharp(first)
          .resize({ width: job.width, withoutEnlargement: true })
          .flatten({ background: '#ffffff' })
          .jpeg({ quality: 80 })
          .toBuffer(),
      );
    case 'card':
      return done(await card(job.card, first, job.hasPicture ? second : undefined));
  }
}

const done = (file: Uint8Array): Done => ({ head: { done: true }, files: [file] });
const refused = (reason: (typeof refusals)[number], error?: unknown): Done => ({
  head: { refused: reason, message: error instanceof Error ? error.message.slice(0, 500) : '' },
  files: [],
});

const formats = new Set(['jpeg', 'png', 'webp']);

type FailOn = 'warning' | 'error';

/** Makes files of a picture that is a photo by its content. */
async function judged(
  bytes: Uint8Array,
  make: (bytes: Uint8Array, failOn: FailOn) => Promise<Done>,
): Promise<Done> {
  const unreadable = isCut(bytes) ? 'cut' : 'notImage';
  let meta: Metadata;
  try {
    meta = await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch (error) {
    return refused(unreadable, error);
  }
  const { format, width = 0, height = 0, pages = 1 } = meta;
  if (!format || !formats.has(format) || !width || !height) return refused('notImage');
  // Before decoding. Very thin images are slow without being large.
  if (Math.max(width, height) > photoLimits.side || width * height * pages > photoLimits.pixels)
    return refused('tooManyPixels');
  try {
    // Cameras and networks lose a JPEG's end marker. With it a warning means that more is missing.
    const isWithoutEnd = format === 'jpeg' && unreadable === 'cut';
    return isWithoutEnd
      ? await make(Buffer.concat([bytes, endOf(bytes)]), 'warning')
      : await make(bytes, 'error');
  } catch (error) {
    return refused(unreadable, error);
  }
}

const endOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes[bytes.length - 1] === 0xff ? [0xd9] : [0xff, 0xd9]);

/** Re-encoding drops EXIF, GPS and colour profile. */
async function widthsOf(bytes: Uint8Array, failOn: FailOn): Promise<Done> {
  // Decoded once: smaller widths come from the largest, already rotated one.
  const largest = photoWidths[photoWidths.length - 1] as number;
  const { data, info } = await sharp(bytes, {
    limitInputPixels: photoLimits.pixels,
    failOn,
  })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize({ width: largest, height: largest * 2, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const decoded = () =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const widths = [...photoWidths.filter((width) => width < info.width), info.width];
  const files: Uint8Array[] = [];
  // One by one, so that a photo uses one core only.
  for (const width of widths)
    files.push(await decoded().resize({ width }).webp({ quality: 74, effort: 3 }).toBuffer());
  const { dominant } = await decoded().resize(32, 32, { fit: 'fill' }).stats();
  const hex = (channel: number) => channel.toString(16).padStart(2, '0');
  const colour = `#${hex(dominant.r)}${hex(dominant.g)}${hex(dominant.b)}`;
  return { head: { photo: { width: info.width, height: info.height, colour, widths } }, files };
}

/** A mark in the middle of each square; one with a ground stands on paper. */
async function markOf(bytes: Uint8Array, failOn: FailOn): Promise<Done> {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  // Decoded once.
  const { data, info } = await sharp(bytes, { limitInputPixels: photoLimits.pixels, failOn })
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .resize(512, 512, { fit: 'contain', background: clear })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const files: Uint8Array[] = [];
  for (const { size, room, ground } of Object.values(markFiles)) {
    const inner = Math.round(size * room);
    const around = Math.floor((size - inner) / 2);
    const rest = size - inner - around;
    const drawn = sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
      .resize(inner, inner)
      .extend({ top: around, left: around, bottom: rest, right: rest, background: clear });
    files.push(
      await (ground ? drawn.flatten({ background: grounds.light[0] }) : drawn)
        .png({ palette: true, quality: 90, effort: 7 })
        .toBuffer(),
    );
  }
  return { head: { done: true }, files };
}

const photographed = (svg: Uint8Array, size: number): Promise<Buffer> =>
  sharp(svg, { density: (72 * size) / 1200 })
    .resize(size, size)
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 85 })
    .toBuffer();

async function card(
  {
    width,
    height,
    paper,
    split,
    top,
    photoHeight = height - top,
    live,
    mark,
    bytes: most,
  }: CardPlan,
  overlay: Uint8Array,
  picture?: Uint8Array,
): Promise<Buffer> {
  const photo = picture && (await fitted(picture, { width: split, height: photoHeight }, live));
  const { data } = await sharp({ create: { width, height, channels: 3, background: paper } })
    .composite([
      ...(photo ? [{ ...photo, left: 0, top }] : []),
      { input: Buffer.from(overlay), left: 0, top: 0 },
    ])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let bytes = Buffer.alloc(0);
  for (const quality of [86, 76, 64, 48]) {
    bytes = await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality, mozjpeg: true })
      .withExif({ IFD0: { ImageDescription: mark } })
      .toBuffer();
    if (bytes.byteLength < most) break;
  }
  return bytes;
}

/** Drains and lightens the picture of a product that is not live. */
async function fitted(picture: Uint8Array, size: { width: number; height: number }, live: boolean) {
  const cut = sharp(picture)
    .resize({ ...size, fit: 'cover', position: 'centre' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb');
  const input = await (live ? cut : cut.modulate({ saturation: 0.12 }).linear(0.45, 132))
    .raw()
    .toBuffer();
  return { input, raw: { ...size, channels: 3 as const } };
}
