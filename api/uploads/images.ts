import type { Services } from '../core/context.ts';
import { PictureFailure, type Why } from '../pictures/child.ts';
import { type PreparedPhoto, photoLimits } from '../pictures/limits.ts';
import { Refusal } from '../shared/errors.ts';
import { kindOf } from './rules.ts';

export { type PreparedPhoto, photoLimits, photoWidths } from '../pictures/limits.ts';

const codes = {
  notImage: 'uploads.notImage',
  failed: 'uploads.notImage',
  cut: 'uploads.cut',
  tooManyPixels: 'uploads.tooManyPixels',
  tooLong: 'uploads.tooDemanding',
  tooHeavy: 'uploads.tooDemanding',
  died: 'uploads.tooDemanding',
  rested: 'uploads.busy',
  busy: 'uploads.busy',
} as const satisfies Record<Why, string>;

/**
 * Validates a photo by its content; re-encoding drops EXIF, GPS and colour profile. Refuses
 * `uploads.tooBig`, `uploads.notImage`, `uploads.cut`, `uploads.wrongType`, `uploads.tooManyPixels`,
 * `uploads.tooDemanding` if its process had to be killed, `uploads.busy`.
 * @param name for the error message
 * @param owner only one photo per owner is processed at a time
 */
export async function preparePhoto(
  { pictures, log }: Pick<Services, 'pictures' | 'log'>,
  bytes: Uint8Array,
  name: string,
  owner?: string,
): Promise<PreparedPhoto> {
  if (bytes.byteLength > photoLimits.bytes) throw new Refusal('uploads.tooBig', { name, max: 5 });
  const kind = kindOf(bytes);
  if (kind !== 'photo')
    throw new Refusal(kind === 'otherImage' ? 'uploads.wrongType' : 'uploads.notImage', { name });
  try {
    return await pictures.photo(bytes, owner);
  } catch (error) {
    if (!(error instanceof PictureFailure)) throw error;
    const code = codes[error.why];
    if (code === 'uploads.tooDemanding')
      log.warn('A photo was too much for its process', {
        why: error.why,
        bytes: bytes.byteLength,
        owner,
      });
    throw new Refusal(code, { name }, [], { cause: error });
  }
}
