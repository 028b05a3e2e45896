import { lstatSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { claim } from './embedded/claim.ts';
import {
  makePrivate,
  passableFolder,
  privateFolder,
  type Tightened,
  tightenData,
} from './privacy.ts';

/** Another live server process owns the data folder. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse';
  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    super(
      `The data folder ${folder} is in use by the server process ${pid}. Stop it first: kill ${pid}`,
    );
  }
}

/**
 * Makes this process the owner of the data folder, created if missing; the first line of
 * `server.pid` is its pid. Takes over from a dead process, and closes the market's files to other
 * accounts (`tightened`). Throws DataFolderInUse if a live process, this one included, owns the
 * folder.
 * @param embedded the market's own Postgres is inside; as root, it runs as another account
 */
export async function lockDataFolder(
  folder: string,
  { embedded = true } = {},
): Promise<{ tightened: Tightened; release(): Promise<void> }> {
  const absolute = resolve(folder);
  const made = makePrivate(
    absolute,
    embedded && passesThrough(absolute) ? passableFolder : privateFolder,
  );
  const claimed = claim(join(absolute, 'server.pid'));
  if (!('release' in claimed)) throw new DataFolderInUse(absolute, claimed.pid);
  const inside = tightenData(realpathSync(absolute));
  const tightened = {
    changed: made.changed + inside.changed,
    foreign: [...made.foreign, ...inside.foreign],
  };
  return { tightened, release: async () => claimed.release() };
}

/** A link marks a cluster that was moved elsewhere; Postgres' account need not enter here. */
const passesThrough = (folder: string): boolean =>
  process.geteuid?.() === 0 &&
  !lstatSync(join(folder, 'postgres'), { throwIfNoEntry: false })?.isSymbolicLink();
