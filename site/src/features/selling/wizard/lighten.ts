import { limits } from '../../../../../api/products/schema.ts';
import { isCut } from '../../../../../api/shared/isCut.ts';
import { headBytes, kindOf } from '../../../../../api/uploads/rules.ts';
import { hasTooManyPixels } from './pixels.ts';

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
): Promise<Blob | 'notImage' | 'cut' | 'wrongType' | 'tooBig' | 'tooManyPixels'> {
  if (await hasTooManyPixels(file)) return 'tooManyPixels';
  const readable = photoTypes.includes(file.type);
  const picture = await decode(file);
  if (!picture) {
    const kind = kindOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
    if (kind !== 'photo') return kind === 'otherImage' ? 'wrongType' : 'notImage';
    // The server may read what this phone cannot, such as a JPEG without its end marker.
    if (file.size <= photoBytes) return file;
    return (await isCutFile(file)) ? 'cut' : 'tooBig';
  }
  try {
    const scale = Math.min(1, widest / picture.width, highest / picture.height);
    if (readable && scale === 1 && file.size <= photoBytes / 5) return file;
    if (!drawsTruly()) return file.size <= photoBytes ? file : 'tooBig';
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

const isCutFile = async (file: Blob): Promise<boolean> =>
  isCut(new Uint8Array(await file.arrayBuffer()));

type Picture = { image: CanvasImageSource; width: number; height: number; close(): void };

async function decode(file: Blob): Promise<Picture | null> {
  try {
    const image = await createImageBitmap(file, { imageOrientation: 'from-image' });
    return { image, width: image.width, height: image.height, close: () => image.close() };
  } catch {
    // An element shows half a photo too.
    return (await isCutFile(file)) ? null : decodeAsElement(file);
  }
}

/**
 * Chrome before 112, Firefox before 111 and Safari before 16 refuse `from-image`, and would lose a
 * photo's orientation without it; an element keeps it.
 */
async function decodeAsElement(file: Blob): Promise<Picture | null> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  const close = () => URL.revokeObjectURL(image.src);
  try {
    await image.decode();
    return { image, width: image.naturalWidth, height: image.naturalHeight, close };
  } catch {
    close();
    return null;
  }
}

/**
 * Firefox with protection against fingerprints gives back noise or white instead of what was drawn.
 * Other protections change the lowest bits, which nobody sees.
 */
function drawsTruly(): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 16;
  const pen = canvas.getContext('2d');
  if (!pen) return false;
  const shade = (n: number) => (n * 37) % 256;
  for (let n = 0; n < 256; n++) {
    pen.fillStyle = `rgb(${shade(n)},${shade(n + 1)},${shade(n + 2)})`;
    pen.fillRect(n % 16, n >> 4, 1, 1);
  }
  const { data } = pen.getImageData(0, 0, 16, 16);
  return data.every((value, at) => {
    const meant = at % 4 === 3 ? 255 : shade((at >> 2) + (at % 4));
    return Math.abs(value - meant) < 8;
  });
}

function draw(picture: Picture, scale: number, quality: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d');
  if (!pen) return Promise.resolve(null);
  // Transparent areas would turn black in a JPEG.
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture.image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}
