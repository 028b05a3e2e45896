import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { diskStorage, type Storage } from '../../api/ops/storage.ts';
import { Refusal } from '../../api/shared/errors.ts';

export type MemoryStorage = Storage & {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Lets this many writes through, then fails each; without a number, none fails. */
  failAfter(writes?: number): void;
};

/** Storage in memory; files carry the times of the test's clock. */
export function memoryStorage(now: () => Date = () => new Date()): MemoryStorage {
  const files = new Map<string, Uint8Array>();
  const written = new Map<string, Date>();
  let left = Number.POSITIVE_INFINITY;
  return {
    files,
    failAfter(writes = Number.POSITIVE_INFINITY) {
      left = writes;
    },
    async put(key, bytes) {
      if (left-- <= 0) throw new Refusal('uploads.storageUnavailable');
      files.set(key, new Uint8Array(bytes));
      written.set(key, now());
    },
    async get(key) {
      const bytes = files.get(key);
      return bytes && new Uint8Array(bytes);
    },
    async delete(keys) {
      for (const key of keys) files.delete(key);
    },
    async *list() {
      if (left <= 0) throw new Error('The storage is away');
      for (const [key, bytes] of files)
        yield { key, bytes: bytes.byteLength, modifiedAt: written.get(key) ?? now() };
    },
    async probe() {
      if (left <= 0) throw new Error('The storage is away');
    },
  };
}

/**
 * Disk storage in a temporary folder, removed after the test file. Call it at the top of a file.
 */
export function temporaryDisk(): { storage: Storage; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-photos-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { storage: diskStorage(folder), folder };
}
