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
 * Makes this process the one owner of the data folder (created if missing) and writes its pid to `server.pid` there, on the
 * first line: `kill $(head -1 server.pid)` stops the server. A file left by a process that is gone is taken over.
 * The folder, and what the market has in it, is closed to other accounts: `tightened` says what had to be changed for that.
 * Throws DataFolderInUse while another one lives, or while this process already has the folder.
 * @param embedded whether the market's own Postgres lives in there: as root it runs as another account, which must get through
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

/** A cluster that had to move elsewhere has left a link here: then nobody else comes by. */
const passesThrough = (folder: string): boolean =>
  process.geteuid?.() === 0 &&
  !lstatSync(join(folder, 'postgres'), { throwIfNoEntry: false })?.isSymbolicLink();
