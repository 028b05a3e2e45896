import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { makePrivate, privateFile } from '../../db/privacy.ts';
import { Refusal } from '../shared/errors.ts';

export type StoredFile = { key: string; bytes: number; modifiedAt: Date };

/**
 * File storage in a folder or an S3 bucket. Keys look like `products/20261121T101500-3f9c….webp`.
 */
export type Storage = {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  delete(keys: string[]): Promise<void>;
  /** Every file, partial ones too, unordered; for cleanup and measuring (product R28). */
  list(): AsyncIterable<StoredFile>;
  /** Throws when the storage is unusable; for the health probe (product §7). */
  probe(): Promise<void>;
};

const safeKey = /^products\/[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
/** Longer names fail on disk, and two dots could leave the folder. */
const isKey = (key: string): boolean => safeKey.test(key) && !key.includes('..');

function checkKey(key: string): void {
  if (!isKey(key)) throw new Error(`Not a storage key: ${key}`);
}

/** Writes are atomic: beside the target, synced, then renamed. */
export function diskStorage(folder: string): Storage {
  const root = resolve(folder);
  const place = (key: string) => {
    checkKey(key);
    const path = join(root, key);
    if (!path.startsWith(root + sep)) throw new Error(`Not a storage key: ${key}`);
    return path;
  };
  return {
    async put(key, bytes) {
      const path = place(key);
      const beside = `${path}.part`;
      try {
        makePrivate(root);
        makePrivate(dirname(path));
        const file = await open(beside, 'w', privateFile);
        try {
          await file.chmod(privateFile);
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(beside, path);
      } catch (error) {
        await rm(beside, { force: true }).catch(() => {});
        throw refusalOf(error);
      }
    },
    async get(key) {
      if (!isKey(key)) return undefined;
      try {
        return new Uint8Array(await readFile(place(key)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async delete(keys) {
      for (const key of keys) {
        await rm(place(key), { force: true });
        // Left by a power cut during a write.
        await rm(`${place(key)}.part`, { force: true });
      }
    },
    async *list() {
      const names = await readdir(join(root, 'products')).catch((error) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      });
      for (let from = 0; from < names.length; from += 64) {
        const some = names.slice(from, from + 64).map((name) => `products/${name}`);
        // A file may vanish after readdir.
        const found = await Promise.all(
          some.map(async (key) => ({
            key,
            about: await stat(join(root, key)).catch(() => undefined),
          })),
        );
        for (const { key, about } of found)
          if (about?.isFile()) yield { key, bytes: about.size, modifiedAt: about.mtime };
      }
    },
    async probe() {
      makePrivate(root);
      await stat(root);
    },
  };
}

export type S3Options = {
  bucket: string;
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/**
 * Storage in a bucket, through Bun's client.
 * @param patienceMs limit of a request; a service that never answers must not block uploads
 */
export function s3Storage(options: S3Options, patienceMs = 30_000): Storage {
  const client = new Bun.S3Client(options);
  const answered = <T>(request: Promise<T>) => answeredWithin(patienceMs, request);
  return {
    async put(key, bytes, contentType) {
      checkKey(key);
      try {
        await answered(client.write(key, bytes, { type: contentType }));
      } catch (error) {
        throw refusalOf(error);
      }
    },
    async get(key) {
      if (!isKey(key)) return undefined;
      try {
        return new Uint8Array(await answered(client.file(key).arrayBuffer()));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async delete(keys) {
      for (const key of keys) {
        checkKey(key);
        await answered(client.delete(key));
      }
    },
    async *list() {
      let token: string | undefined;
      do {
        const page = await answered(
          client.list({
            prefix: 'products/',
            maxKeys: 1000,
            ...(token ? { continuationToken: token } : {}),
          }),
        );
        for (const { key, size, lastModified } of page.contents ?? [])
          yield { key, bytes: size ?? 0, modifiedAt: new Date(lastModified ?? Date.now()) };
        token = page.isTruncated ? page.nextContinuationToken : undefined;
      } while (token);
    },
    async probe() {
      // At most one name, so no service needs pagination.
      await answered(client.list({ prefix: 'products/market.txt', maxKeys: 1 }));
    },
  };
}

export async function answeredWithin<T>(ms: number, request: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The bucket did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([request, late]);
  } finally {
    clearTimeout(timer);
  }
}

const missing = new Set(['NoSuchKey', 'NotFound', 'ERR_S3_FILE_NOT_FOUND']);
export const isMissing = (error: unknown): boolean =>
  missing.has((error as { code?: string }).code ?? '');
/** Error codes of full buckets and disks. */
const full = new Set([
  'ENOSPC',
  'EDQUOT',
  'QuotaExceeded',
  'XMinioStorageFull',
  'InsufficientStorage',
]);

/** Names a full or unreachable storage to the uploader (product §5). */
function refusalOf(error: unknown): Error {
  const refusal = new Refusal(
    full.has((error as NodeJS.ErrnoException).code ?? '')
      ? 'uploads.storageFull'
      : 'uploads.storageUnavailable',
  );
  refusal.cause = error;
  return refusal;
}
