import { limits } from '../../../../../api/products/schema.ts';
import { headBytes, kindOf } from '../../../../../api/uploads/rules.ts';
import { isBomb } from './pixels.ts';

/** Server's limit per photo (product §9: 5 MB). */
const photoBytes = 5 * 1024 * 1024;
/** Largest size shown; the server scales down to it anyway. */
const widest = 1280;
const highest = 2560;

export const photoTypes = ['image/jpeg', 'image/png', 'image/webp'];
export const mostPhotos = limits.images.max;

/**
 * Shrinks or converts a photo for upload (product R43), since uploads use the seller's data; keeps
 * the original if that saves nothing. Returns a refusal code for unusable files.
 */
export async function lighten(
  file: Blob,
): Promise<Blob | 'notImage' | 'wrongType' | 'tooBig' | 'tooManyPixels'> {
  // Decoding first could exhaust the phone's memory.
  if (await isBomb(file)) return 'tooManyPixels';
  const readable = photoTypes.includes(file.type);
  const picture = await decode(file);
  if (!picture) {
    const kind = kindOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
    if (kind !== 'photo') return kind === 'otherImage' ? 'wrongType' : 'notImage';
    // The server may read formats this phone cannot.
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
  // Transparent areas would turn black in a JPEG.
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}
