import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { claim } from './embedded/claim.ts';

/** Another live server process owns the data folder. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse';
  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    super(`The data folder ${folder} is in use by the server process ${pid}. Stop it first: kill ${pid}`);
  }
}

/**
 * Makes this process the one owner of the data folder (created if missing) and writes its pid to `server.pid` there, on the
 * first line: `kill $(head -1 server.pid)` stops the server. A file left by a process that is gone is taken over.
 * Throws DataFolderInUse while another one lives, or while this process already has the folder.
 */
export async function lockDataFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const absolute = resolve(folder);
  mkdirSync(absolute, { recursive: true });
  const claimed = claim(join(absolute, 'server.pid'));
  if (!('release' in claimed)) throw new DataFolderInUse(absolute, claimed.pid);
  return { release: async () => claimed.release() };
}
