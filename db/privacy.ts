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

/** Everything that the market writes is its own account's alone. Named wherever something is made, since a umask may be anything. */
export const privateFile = 0o600;
export const privateFolder = 0o700;
/** Others may pass through by a name that they know, and see nothing: Postgres runs as another account where the market is root's. */
export const passableFolder = 0o711;

/** How tightening a place ended: how many modes were changed, and what was left alone because it is another account's. */
export type Tightened = { changed: number; foreign: string[] };

/**
 * Makes a folder for this account alone, and takes an existing one back from others when it is this account's own; what is another account's is never
 * changed. Its parents are made as the umask says.
 */
export function makePrivate(folder: string, mode = privateFolder): Tightened {
  mkdirSync(dirname(folder), { recursive: true });
  const done: Tightened = { changed: 0, foreign: [] };
  try {
    mkdirSync(folder, { mode });
    // A umask may have taken more than the mode leaves.
    chmodSync(folder, mode);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    close(realpathSync(folder), mode, done);
  }
  return done;
}

/** Names of the market in its data folder beside its database, which Postgres guards itself. Anything else there is not the market's to change. */
const own =
  /^(?:uploads|backups|whatsapp|demo-admin-password|(?:server\.pid|postgres\.starting)(?:\..+)?)$/;

/**
 * Takes everything that the market has in its data folder back from other accounts, also what an older version left open. A folder that is a link (photos
 * that several processes share) is tightened where it leads, when it is this account's.
 */
export function tightenData(folder: string): Tightened {
  const done: Tightened = { changed: 0, foreign: [] };
  for (const name of readdirSync(folder)) {
    if (!own.test(name)) continue;
    const place = resolved(join(folder, name));
    // Behind a link there may be others' files too: there only what the market calls its own.
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

/** From the top: what is closed already hides the rest while it is gone through. */
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

/** Sets a mode, through a descriptor, so that no link that is put in its place meanwhile is followed. Answers whether it is this account's. */
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
    // The sticky bit marks a place that everybody shares, such as /tmp.
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

/** Deleted, replaced by a link, or closed to us by its owner. */
const gone = new Set(['ENOENT', 'ELOOP', 'ENXIO', 'EACCES', 'ENOTDIR']);

/** Target of a name, and if it is a link; undefined when it leads nowhere. */
function resolved(path: string): { path: string; linked: boolean } | undefined {
  try {
    return { path: realpathSync(path), linked: lstatSync(path).isSymbolicLink() };
  } catch (error) {
    if (gone.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}
