export type SafeStorage = {
  get: (key: string) => string | null;
  set: (key: string, value: string) => void;
  remove: (key: string) => void;
  /** False while values are kept in memory only, and lost with the page. */
  lasting: () => boolean;
};

/** Local storage that falls back to memory when it is missing, forbidden or full (product §10). */
export function makeStorage(
  find: () => Storage | undefined = () => globalThis.localStorage,
): SafeStorage {
  const memory = new Map<string, string>();
  let lasting = true;

  const attempt = <Result>(act: (storage: Storage) => Result): Result | undefined => {
    try {
      const storage = find();
      if (storage) return act(storage);
    } catch {
      // Forbidden or full.
    }
    lasting = false;
    return undefined;
  };

  return {
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    set: (key, value) => {
      const kept = attempt((storage) => {
        storage.setItem(key, value);
        return true;
      });
      if (kept) memory.delete(key);
      else memory.set(key, value);
    },
    remove: (key) => {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
    lasting: () => lasting,
  };
}

export const storage = makeStorage();
/** Storage of this tab, or memory where the browser forbids it. */
export const session = makeStorage(() => globalThis.sessionStorage);

/** Parses stored JSON; null if it is unreadable or `isRight` refuses it. */
export function readJson<Value>(
  from: SafeStorage,
  key: string,
  isRight: (value: unknown) => value is Value,
): Value | null {
  const text = from.get(key);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRight(value) ? value : null;
  } catch {
    return null;
  }
}
