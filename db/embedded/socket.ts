import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, EmbeddedPostgresError } from './errors.ts';
import { writeInside } from './files.ts';
import type { Account } from './process.ts';

/** Where a running server listens. */
export type Socket = { host: string; port: number };

export const port = 5432;

const noteName = 'marche54.socket';

// The kernel's limit for the whole path of a socket: 107 bytes on Linux, 103 on macOS.
const longest = 103;
const fits = (folder: string) => Buffer.byteLength(`${folder}/.s.PGSQL.${port}`) <= longest;

/**
 * A private folder for the server's socket: inside the data folder, or, where that lies too deep for a socket's path, in /tmp,
 * remembered in the data folder so that killed servers do not leave one behind each time.
 *
 * The comma at the end of its name is for postgres.js: in an address it takes a percent-encoded path for a socket only when it
 * believes to see several hosts, and what follows the comma must be empty so that it does not go looking for a second one.
 */
export function socketFolder(data: string, account: Account | undefined): string {
  const inside = join(data, 'socket,');
  if (fits(inside) && !/[,:]/.test(data)) {
    mkdirSync(inside, { recursive: true, mode: 0o700 });
    return owned(inside, account);
  }
  const noted = readNote(join(data, noteName));
  if (noted && isPrivate(noted, account)) return emptied(noted);
  const base = ['/tmp', tmpdir()].find(
    (folder) => fits(join(folder, `marche54-${'0'.repeat(12)},`)) && isWritable(folder),
  );
  if (!base)
    throw new EmbeddedPostgresError(
      `The path ${data} is too long for the socket of Postgres, and neither /tmp nor ${tmpdir()} can hold it.`,
    );
  const folder = join(base, `marche54-${randomBytes(6).toString('hex')},`);
  // Not recursive: it must fail, not follow, if somebody else put something there.
  mkdirSync(folder, { mode: 0o700 });
  writeInside(data, noteName, folder);
  return owned(folder, account);
}

/** Removes the folder that a stopped server had in /tmp. */
export function removeSocketFolder(data: string, folder: string): void {
  rmSync(join(data, noteName), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Gone already, or not empty: then it is not ours to clear, and 4 KB in /tmp harm nobody.
  }
}

/** The address for postgres.js; the port is left to its default, because it would take one in the address for part of the path. */
export function addressOf({ host }: Socket, database: string): string {
  return `postgres://postgres@${encodeURIComponent(host)}/${encodeURIComponent(database)}`;
}

function owned(folder: string, account: Account | undefined): string {
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  return emptied(folder);
}

/** The socket's lock file of a killed server names a pid that may be another process by now, which would stop the next start. */
function emptied(folder: string): string {
  for (const name of readdirSync(folder))
    if (name.startsWith('.s.PGSQL.')) rmSync(join(folder, name), { force: true });
  return folder;
}

function isPrivate(folder: string, account: Account | undefined): boolean {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  return (
    !!entry?.isDirectory() &&
    (entry.mode & 0o777) === 0o700 &&
    entry.uid === (account?.uid ?? process.geteuid?.())
  );
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readNote(note: string): string | undefined {
  try {
    return readFileSync(note, 'utf8').trim() || undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
