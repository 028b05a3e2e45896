import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

const canvas = (width: number, height = Math.round((width * 2) / 3), colour = '#b8371f') =>
  sharp({ create: { width, height, channels: 3, background: colour } });

/** A photo as phones make it, with EXIF orientation, place and model. */
export const phonePhoto = (width = 900): Promise<Buffer> =>
  canvas(width)
    .jpeg()
    .withExif({
      IFD0: { Make: 'Tecno', Model: 'Spark 10' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '4/1 3/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '9/1 42/1 0/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();

export const jpeg = (width = 120): Promise<Buffer> => canvas(width).jpeg().toBuffer();
export const png = (width = 120): Promise<Buffer> => canvas(width).png().toBuffer();
/** A half-transparent picture, whose ground must become white, not black. */
export const transparentPng = (width = 120): Promise<Buffer> =>
  sharp({
    create: { width, height: width, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();
export const webp = (width = 120): Promise<Buffer> => canvas(width).webp().toBuffer();
export const gif = (width = 40): Promise<Buffer> => canvas(width).gif().toBuffer();
export const avif = (width = 40): Promise<Buffer> => canvas(width).avif({ effort: 0 }).toBuffer();
export const tiff = (width = 40): Promise<Buffer> => canvas(width).tiff().toBuffer();
/** Only the first bytes that identify the type: an iPhone's photo, and old scanners' formats. */
export const heic = (): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(200)]);
export const bmp = (): Buffer =>
  Buffer.concat([Buffer.from('BM'), Buffer.from([210, 0, 0, 0]), Buffer.alloc(200)]);
export const svg = (): Buffer =>
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>alert(1)</script><rect width="40" height="40"/></svg>',
  );

export const textFile = (): Buffer =>
  Buffer.from('This is a shopping list, not a photo.\n'.repeat(40));

export const noisy = {
  jpeg: () => noise(400, 300).jpeg({ quality: 90 }).toBuffer(),
  progressive: () => noise(400, 300).jpeg({ quality: 90, progressive: true }).toBuffer(),
  png: () => noise(400, 300).png().toBuffer(),
  webp: () => noise(400, 300).webp().toBuffer(),
};
export const halfOf = async (photo: () => Promise<Buffer>): Promise<Buffer> => {
  const whole = await photo();
  return whole.subarray(0, Math.floor(whole.length / 2));
};

function noise(width: number, height: number) {
  let state = 54;
  const data = Buffer.alloc(width * height * 3);
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    data[i] = state >> 16;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

let heavy: Promise<Buffer> | undefined;
export function heavyJpeg(): Promise<Buffer> {
  heavy ??= noise(1800, 1500).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
  return heavy;
}

/** A real JPEG of about `bytes` bytes, at least 100,000. */
export async function jpegOfBytes(bytes: number): Promise<Buffer> {
  // At full quality a pixel of noise takes about three bytes; a comment, which changes no pixel,
  // fills the rest.
  const width = 600;
  const photo = await noise(width, Math.max(1, Math.floor(bytes / 4 / width)))
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const parts: Buffer[] = [photo.subarray(0, 2)];
  for (let missing = bytes - photo.length; missing > 4; ) {
    const size = Math.min(missing - 2, 65_535);
    parts.push(Buffer.from([0xff, 0xfe, size >> 8, size & 0xff]), Buffer.alloc(size - 2));
    missing -= size + 2;
  }
  return Buffer.concat([...parts, photo.subarray(2)]);
}

/** A PNG of some kilobytes that unpacks to 64 million identical one-bit pixels by default. */
export function bombPng(width = 8000, height = width): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An SVG that takes a renderer minutes: each style rule is compared with each group. */
export function styleBomb(rules = 20_000): Buffer {
  const style = Array.from({ length: rules }, (_, n) => `.a${n} .b${n}{fill:red}`).join('');
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>${style}</style>${'<g class="a b">'.repeat(200)}${'</g>'.repeat(200)}</svg>`,
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(Bun.hash.crc32(body) >>> 0);
  return Buffer.concat([length, body, check]);
}
