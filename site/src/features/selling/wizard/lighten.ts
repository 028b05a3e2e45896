import { limits } from '../../../../../api/products/schema.ts';
import { headBytes, kindOf } from '../../../../../api/uploads/rules.ts';
import { isBomb } from './pixels.ts';

/** The most that the server takes of one photo (product §9: 5 MB). */
const photoBytes = 5 * 1024 * 1024;
/** What a page shows at most: the server would scale larger pictures down to this anyway. */
const widest = 1280;
const highest = 2560;

export const photoTypes = ['image/jpeg', 'image/png', 'image/webp'];
export const mostPhotos = limits.images.max;

/**
 * Makes a picked photo fit for the way (product R43): what is wider than any page shows it, or over 5 MB, or in a format that the
 * server does not read, is drawn again on the device, since sending costs the seller's own data. The original is kept where
 * drawing it would save nothing. Answers why when it cannot be used.
 */
export async function lighten(
  file: Blob,
): Promise<Blob | 'notImage' | 'wrongType' | 'tooBig' | 'tooManyPixels'> {
  // Before it is decoded: afterwards the phone may have no memory left to say so.
  if (await isBomb(file)) return 'tooManyPixels';
  const readable = photoTypes.includes(file.type);
  const picture = await decode(file);
  if (!picture) {
    const kind = kindOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
    if (kind !== 'photo') return kind === 'otherImage' ? 'wrongType' : 'notImage';
    // What this phone cannot open the server may.
    return file.size <= photoBytes ? file : 'tooBig';
  }
  try {
    const scale = Math.min(1, widest / picture.width, highest / picture.height);
    if (readable && scale === 1 && file.size <= photoBytes / 5) return file;
    for (const [size, quality] of [
      [1, 0.86],
      [1, 0.7],
      [0.7, 0.7],
      [0.45, 0.6],
    ] as const) {
      const drawn = await draw(picture, scale * size, quality);
      if (!drawn) break;
      if (readable && drawn.size >= file.size && file.size <= photoBytes) return file;
      if (drawn.size <= photoBytes) return drawn;
    }
    return readable && file.size <= photoBytes ? file : 'tooBig';
  } finally {
    picture.close();
  }
}

async function decode(file: Blob): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return null;
  }
}

function draw(picture: ImageBitmap, scale: number, quality: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d');
  if (!pen) return Promise.resolve(null);
  // What shines through would turn black in a JPEG.
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}
