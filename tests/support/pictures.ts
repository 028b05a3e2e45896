import { createPictures, type Pictures } from '../../api/pictures/pictures.ts';

let shared: Pictures | undefined;
/**
 * Image workers shared by all apps of a worker; they exit soon after the last picture. A small photo
 * is processed once: tests upload the same one hundreds of times.
 */
export function sharedPictures(): Pictures {
  if (shared) return shared;
  const pictures = createPictures({ idleMs: 3000, jobMs: 60_000, waitMs: 60_000 });
  const known = new Map<string, ReturnType<Pictures['photo']>>();
  async function photo(bytes: Uint8Array, owner?: string) {
    if (bytes.byteLength > 10_000) return pictures.photo(bytes, owner);
    const key = Buffer.from(bytes).toString('base64');
    const result = known.get(key) ?? pictures.photo(bytes, owner);
    known.set(key, result);
    result.catch(() => known.delete(key));
    const { files, ...rest } = await result;
    return { ...rest, files: files.map((file) => ({ ...file, bytes: file.bytes.slice() })) };
  }
  shared = {
    ...pictures,
    photo,
    get pids() {
      return pictures.pids;
    },
  };
  return shared;
}
