import type { Services } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { PictureFailure, type Why } from '../pictures/child.ts';
import { type PreparedPhoto, photoLimits } from '../pictures/limits.ts';

export { type PreparedPhoto, photoLimits, photoWidths } from '../pictures/limits.ts';

const startsWith = (bytes: Uint8Array, at: number, ...signature: number[]) => signature.every((byte, index) => bytes[at + index] === byte);

/** Whether a file begins as a JPEG, PNG or WebP does. Nothing else reaches a decoder. */
export function looksLikePhoto(bytes: Uint8Array): boolean {
  return (
    startsWith(bytes, 0, 0xff, 0xd8, 0xff) ||
    startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) ||
    // "RIFF", four bytes of length, "WEBP"
    (startsWith(bytes, 0, 0x52, 0x49, 0x46, 0x46) && startsWith(bytes, 8, 0x57, 0x45, 0x42, 0x50))
  );
}

const codes = {
  notImage: 'uploads.notImage',
  failed: 'uploads.notImage',
  tooManyPixels: 'uploads.tooManyPixels',
  tooLong: 'uploads.tooDemanding',
  tooHeavy: 'uploads.tooDemanding',
  died: 'uploads.tooDemanding',
  rested: 'uploads.busy',
  busy: 'uploads.busy',
} as const satisfies Record<Why, string>;

/**
 * Judges a photo by its content, never by its name, and re-encodes it in the widths that pages use; EXIF, GPS and colour profile
 * stay behind. Refuses `uploads.tooBig`, `uploads.notImage`, `uploads.tooManyPixels`, and `uploads.tooDemanding` when its process had to
 * be ended, each naming the file; `uploads.busy` when too many photos wait.
 * @param name what the person calls the file, for the sentence
 * @param owner whose photo it is: one of each person is judged at a time
 */
export async function preparePhoto(
  { pictures, log }: Pick<Services, 'pictures' | 'log'>,
  bytes: Uint8Array,
  name: string,
  owner?: string,
): Promise<PreparedPhoto> {
  if (bytes.byteLength > photoLimits.bytes) throw new Refusal('uploads.tooBig', { name, max: 5 });
  if (!looksLikePhoto(bytes)) throw new Refusal('uploads.notImage', { name });
  try {
    return await pictures.photo(bytes, owner);
  } catch (error) {
    if (!(error instanceof PictureFailure)) throw error;
    const code = codes[error.why];
    if (code === 'uploads.tooDemanding') log.warn('A photo was too much for its process', { why: error.why, bytes: bytes.byteLength, owner });
    throw new Refusal(code, { name }, [], { cause: error });
  }
}
