import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from './embedded/errors.ts';

/** Always explicit, since the umask may be anything. */
export const privateFile = 0o600;
export const privateFolder = 0o700;
/** Others may pass through, not list: as root, Postgres runs as another account. */
export const passableFolder = 0o711;

/** Changed modes, and paths left alone because they belong to another account. */
export type Tightened = { changed: number; foreign: string[] };

/**
 * Creates a private folder, or closes this account's existing one to others; another account's is
 * never changed. Parents get the umask.
 */
export function makePrivate(folder: string, mode = privateFolder): Tightened {
  mkdirSync(dirname(folder), { recursive: true });
  const done: Tightened = { changed: 0, foreign: [] };
  try {
    mkdirSync(folder, { mode });
    // The umask may have removed more than intended.
    chmodSync(folder, mode);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    close(realpathSync(folder), mode, done);
  }
  return done;
}

/**
 * The market's names in its data folder, except the database, which Postgres guards. Others are not
 * changed.
 */
const own =
  /^(?:uploads|backups|whatsapp|demo-admin-password|(?:server\.pid|postgres\.starting)(?:\..+)?)$/;

/**
 * Closes the market's files in its data folder to other accounts, including those an older version
 * left open. Follows a link (photos shared by several processes) whose target is this account's.
 */
export function tightenData(folder: string): Tightened {
  const done: Tightened = { changed: 0, foreign: [] };
  for (const name of readdirSync(folder)) {
    if (!own.test(name)) continue;
    const place = resolved(join(folder, name));
    // Behind a link, others may keep files too.
    if (place?.linked && name === 'uploads') tightenShared(place.path, done);
    else if (place && !place.linked) tightenTree(place.path, done);
  }
  return done;
}

function tightenShared(uploads: string, done: Tightened): void {
  if (!close(uploads, privateFolder, done)) return;
  const products = join(uploads, 'products');
  if (lstatSync(products, { throwIfNoEntry: false })?.isDirectory()) tightenTree(products, done);
}

/** Top-down, so that a closed folder hides its contents meanwhile. */
function tightenTree(path: string, done: Tightened): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry || entry.isSymbolicLink() || !(entry.isDirectory() || entry.isFile())) return;
  if (
    entry.mode & 0o077 &&
    !close(path, entry.isDirectory() ? privateFolder : entry.mode & privateFolder, done)
  )
    return;
  if (entry.isDirectory()) for (const name of list(path)) tightenTree(join(path, name), done);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (gone.has(codeOf(error) ?? '')) return [];
    throw error;
  }
}

/**
 * Uses a descriptor, so that a link put in place meanwhile is not followed. Returns false if the
 * path is not this account's.
 */
function close(path: string, mode: number, done: Tightened): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (!gone.has(codeOf(error) ?? '')) throw error;
    if (codeOf(error) === 'EACCES') done.foreign.push(path);
    return false;
  }
  try {
    const entry = fstatSync(descriptor);
    // The sticky bit marks shared folders such as /tmp.
    if (entry.uid !== process.geteuid?.() || entry.mode & 0o1000) {
      if (entry.mode & 0o077) done.foreign.push(path);
      return false;
    }
    if ((entry.mode & 0o777) === mode) return true;
    fchmodSync(descriptor, mode);
    done.changed++;
    return true;
  } finally {
    closeSync(descriptor);
  }
}

/** Deleted, replaced by a link, or unreadable. */
const gone = new Set(['ENOENT', 'ELOOP', 'ENXIO', 'EACCES', 'ENOTDIR']);

/** Undefined for a dangling link. */
function resolved(path: string): { path: string; linked: boolean } | undefined {
  try {
    return { path: realpathSync(path), linked: lstatSync(path).isSymbolicLink() };
  } catch (error) {
    if (gone.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}
