import { createStore, del, delMany, get, keys, set, type UseStore } from 'idb-keyval';
import { log } from '../../../lib/log.ts';

/** A photo as the device keeps it: the file as it was picked, or already made lighter. */
type KeptFile = { blob: Blob; light: boolean };
/** Where the photos of a draft are kept until it is submitted. */
export type Keep = {
  put(key: string, file: KeptFile): void;
  get(key: string): Promise<KeptFile | undefined>;
  remove(key: string): void;
  clear(): Promise<void>;
};

// Older Safari cannot keep a Blob: bytes can be kept everywhere.
type Row = { bytes: ArrayBuffer; type: string; light: boolean };

/**
 * Photos of drafts in the browser's own database, since local storage holds text alone and little of it. Where there is none, it is
 * forbidden or full, a draft keeps only the photos that the server has: nothing here ever fails loudly.
 * @param place whose draft it is: the name under which its answers are kept, too
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
