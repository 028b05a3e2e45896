import {
  chownSync,
  constants,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

// Root writes into a cluster of an unprivileged account: never through a link that account may have
// placed, and always so that it can use the file.

/** Replaces a file of the cluster. */
export function writeInside(data: string, name: string, text: string): void {
  const path = join(data, name);
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  const { uid, gid } = statSync(data);
  if (process.geteuid?.() === 0) chownSync(path, uid, gid);
}

export const logOf = (data: string) => join(data, 'postgres.log');

/** Opens the log for appending, truncated if over 5 MB. The caller closes the descriptor. */
export function openLog(data: string) {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const descriptor = openSync(logOf(data), flags, 0o600);
  const { size, nlink } = fstatSync(descriptor);
  const { uid, gid } = statSync(data);
  if (process.geteuid?.() === 0 && nlink === 1) fchownSync(descriptor, uid, gid);
  const start = size > 5_000_000 ? 0 : size;
  if (start < size) ftruncateSync(descriptor, 0);
  return {
    descriptor,
    /** At most the last 16 KB. */
    sinceOpened() {
      const end = fstatSync(descriptor).size;
      const bytes = Buffer.alloc(Math.min(Math.max(end - start, 0), 16_384));
      readSync(descriptor, bytes, 0, bytes.length, end - bytes.length);
      return bytes.toString('utf8');
    },
  };
}
