import { createStore, del, delMany, get, keys, set, type UseStore } from 'idb-keyval';
import { log } from '../../../lib/log.ts';

type KeptFile = { blob: Blob; light: boolean };
export type Keep = {
  put(key: string, file: KeptFile): void;
  get(key: string): Promise<KeptFile | undefined>;
  remove(key: string): void;
  clear(): Promise<void>;
};

// Older Safari cannot store a Blob, but bytes.
type Row = { bytes: ArrayBuffer; type: string; light: boolean };

/**
 * Stores photos in IndexedDB. Never throws: on failure a draft keeps only uploaded photos. `place`
 * names the draft.
 */
export function keepPhotos(place: string): Keep {
  let store: UseStore | undefined;
  const files = () => {
    store ??= createStore('marche54', 'photos');
    return store;
  };
  const name = (key: string) => `${place}/${key}`;
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (work: () => Promise<unknown>): void => {
    last = last
      .then(work)
      .catch((error) => log.warn('The photos of a draft could not be kept', { error }));
  };
  return {
    put(key, { blob, light }) {
      inOrder(async () =>
        set(
          name(key),
          { bytes: await blob.arrayBuffer(), type: blob.type, light } satisfies Row,
          files(),
        ),
      );
    },
    async get(key) {
      try {
        const row = await get<Row>(name(key), files());
        return row && { blob: new Blob([row.bytes], { type: row.type }), light: row.light };
      } catch (error) {
        log.warn('A photo of a draft could not be read', { error });
        return undefined;
      }
    },
    remove(key) {
      inOrder(async () => del(name(key), files()));
    },
    async clear() {
      inOrder(async () => {
        const own = (await keys(files())).filter((key) => String(key).startsWith(`${place}/`));
        await delMany(own, files());
      });
      await last;
    },
  };
}
