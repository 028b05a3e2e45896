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

export type Socket = { host: string; port: number };

export const port = 5432;

const noteName = 'marche54.socket';

// The kernel allows 107 bytes on Linux, 103 on macOS.
const longest = 103;
const fits = (folder: string) => Buffer.byteLength(`${folder}/.s.PGSQL.${port}`) <= longest;

/**
 * Private folder for the socket: in the data folder or, if that path is too long, in /tmp and noted
 * in the data folder, so that killed servers do not leave one each time.
 * The final comma makes postgres.js take an encoded path for a socket: it must seem to list several
 * hosts, the second one empty.
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
  // Not recursive: it must fail if another user created it.
  mkdirSync(folder, { mode: 0o700 });
  writeInside(data, noteName, folder);
  return owned(folder, account);
}

export function removeSocketFolder(data: string, folder: string): void {
  rmSync(join(data, noteName), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Already gone, or not empty and then not ours to clear.
  }
}

/** Without the port, which postgres.js would take for part of the path. */
export function addressOf({ host }: Socket, database: string): string {
  return `postgres://postgres@${encodeURIComponent(host)}/${encodeURIComponent(database)}`;
}

function owned(folder: string, account: Account | undefined): string {
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  return emptied(folder);
}

/**
 * A killed server's socket lock names a pid that may be another process by now, which would block
 * the next start.
 */
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
