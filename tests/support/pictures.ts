import { createPictures, type Pictures } from '../../api/pictures/pictures.ts';

let shared: Pictures | undefined;

/**
 * Image workers shared by all apps of a worker; they exit soon after the last picture. A small photo
 * and an AVIF are made once: tests upload the same ones hundreds of times.
 */
export function sharedPictures(): Pictures {
  if (shared) return shared;
  const pictures = createPictures({ idleMs: 3000, jobMs: 60_000, waitMs: 60_000 });
  const photos = once<Awaited<ReturnType<Pictures['photo']>>>();
  const avifs = once<Uint8Array<ArrayBuffer>>();
  shared = {
    ...pictures,
    async photo(bytes, owner) {
      if (bytes.byteLength > 10_000) return pictures.photo(bytes, owner);
      const { files, ...rest } = await photos([bytes], () => pictures.photo(bytes, owner));
      return { ...rest, files: files.map((file) => ({ ...file, bytes: file.bytes.slice() })) };
    },
    avif: async (bytes, options) =>
      (await avifs([bytes, JSON.stringify(options)], () => pictures.avif(bytes, options))).slice(),
    get pids() {
      return pictures.pids;
    },
  };
  return shared;
}

/** Remembers results by their input; a failure is tried again. */
function once<T>() {
  const known = new Map<string, Promise<T>>();
  return (input: readonly (Uint8Array | string)[], make: () => Promise<T>): Promise<T> => {
    const hash = new Bun.CryptoHasher('sha256');
    for (const part of input) hash.update(part);
    const key = hash.digest('hex');
    const result = known.get(key) ?? make();
    known.set(key, result);
    result.catch(() => known.delete(key));
    return result;
  };
}
