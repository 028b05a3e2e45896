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

// The cluster belongs to an account without rights, and root writes into it: never through a link that this account may have
// left there, and so that the account, or the person behind it at their own next start, can use the file.

/** Writes a file of the cluster anew. */
export function writeInside(data: string, name: string, text: string): void {
  const path = join(data, name);
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  const { uid, gid } = statSync(data);
  if (process.geteuid?.() === 0) chownSync(path, uid, gid);
}

export const logOf = (data: string) => join(data, 'postgres.log');

/** Opens the server's log to be written on; one of more than 5 MB starts anew. The caller closes the descriptor. */
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
    /** What was written since, at most its last 16 KB. */
    sinceOpened() {
      const end = fstatSync(descriptor).size;
      const bytes = Buffer.alloc(Math.min(Math.max(end - start, 0), 16_384));
      readSync(descriptor, bytes, 0, bytes.length, end - bytes.length);
      return bytes.toString('utf8');
    },
  };
}
