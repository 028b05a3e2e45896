/** A photo as the device keeps it: the file as it was picked, or already made lighter. */
export type KeptFile = { blob: Blob; light: boolean };
/** Where the photos of a draft are kept until it is submitted. */
export type Keep = {
  put(key: string, file: KeptFile): void;
  get(key: string): Promise<KeptFile | undefined>;
  remove(key: string): void;
  clear(): Promise<void>;
};

const store = 'photos';

/**
 * Photos of drafts in the browser's own database, since local storage holds text alone and little of it. Where there is none, it is
 * forbidden or full, a draft keeps only the photos that the server has: nothing here ever fails loudly.
 * @param place whose draft it is: the name under which its answers are kept, too
 */
export function keepPhotos(place: string, find: () => IDBFactory | undefined = () => globalThis.indexedDB): Keep {
  let opened: Promise<IDBDatabase | undefined> | undefined;
  const open = () => {
    opened ??= new Promise<IDBDatabase | undefined>((resolve) => {
      try {
        const request = find()?.open('marche54', 1);
        if (!request) return resolve(undefined);
        request.onupgradeneeded = () => request.result.createObjectStore(store);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => resolve(undefined);
        request.onblocked = () => resolve(undefined);
      } catch {
        resolve(undefined);
      }
    });
    return opened;
  };
  const act = async <T>(mode: IDBTransactionMode, ask: (files: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> => {
    const database = await open();
    if (!database) return undefined;
    return new Promise((resolve) => {
      try {
        const request = ask(database.transaction(store, mode).objectStore(store));
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => resolve(undefined);
      } catch {
        resolve(undefined);
      }
    });
  };
  const name = (key: string) => `${place}/${key}`;
  // Older Safari cannot keep a Blob: bytes can be kept everywhere.
  type Row = { bytes: ArrayBuffer; type: string; light: boolean };
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (work: () => Promise<unknown>) => {
    last = last.then(work, work);
  };
  return {
    put(key, { blob, light }) {
      inOrder(async () => {
        const bytes = await blob.arrayBuffer().catch(() => undefined);
        if (bytes) await act('readwrite', (files) => files.put({ bytes, type: blob.type, light } satisfies Row, name(key)));
      });
    },
    async get(key) {
      const row = (await act<Row | undefined>('readonly', (files) => files.get(name(key)))) ?? undefined;
      return row && { blob: new Blob([row.bytes], { type: row.type }), light: row.light };
    },
    remove(key) {
      inOrder(() => act('readwrite', (files) => files.delete(name(key))));
    },
    async clear() {
      inOrder(() => act('readwrite', (files) => files.delete(IDBKeyRange.bound(`${place}/`, `${place}/\uffff`))));
      await last;
    },
  };
}
