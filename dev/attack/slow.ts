import { jpegOfBytes } from '../../tests/support/photos.ts';
import type { Market } from './market.ts';
import { type SlowUpload, uploadSlowly } from './requests.ts';

export type SlowUploads = { arriving: SlowUpload; silent: SlowUpload[]; bytes: number };

/**
 * Uploads a real photo at 8 KB/s beside connections that go silent after their headers. Runs beside
 * the other attacks for eleven minutes.
 */
export async function slowUploads({ port, admin }: Market, bytes: number): Promise<SlowUploads> {
  const photo = await jpegOfBytes(bytes);
  const [arriving, ...silent] = await Promise.all([
    uploadSlowly(port, admin, photo, 8 * 1024, 900),
    // Two, beside the one that arrives: an account may upload three at once.
    ...Array.from({ length: 2 }, () => uploadSlowly(port, admin, photo, 0, 200)),
  ]);
  return { arriving: arriving as SlowUpload, silent, bytes: photo.byteLength };
}
