import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded.ts';
import { claim } from './claim.ts';
import { FolderInUse } from './errors.ts';
import { stopLeftServer } from './server.ts';

export type Replacement = {
  server: EmbeddedPostgres;
  /**
   * Moves the old folder to a dated name and the new one into its place, once the new server has
   * stopped. Resolves with the old folder's path, if there was one.
   */
  takePlace(now: Date): Promise<string | undefined>;
};

/**
 * Starts a new database beside the one in `folder`, which may be damaged and is not touched. Reuses
 * one from an interrupted attempt. The caller holds the data folder.
 */
export async function startReplacement(folder: string): Promise<Replacement> {
  await stopFormer(folder);
  const beside = `${folder}.restoring`;
  const server = await startEmbeddedPostgres({ folder: beside });
  return {
    server,
    async takePlace(now) {
      // Under the claim, as another command may just be starting the old database.
      const claimed = claim(`${folder}.starting`);
      if (!('release' in claimed)) throw new FolderInUse(folder, claimed.pid);
      try {
        await stopFormer(folder);
        const aside = lstatSync(folder, { throwIfNoEntry: false })
          ? unusedName(folder, now)
          : undefined;
        if (aside) renameSync(folder, aside);
        renameSync(beside, folder);
        sync(dirname(folder));
        return aside;
      } finally {
        claimed.release();
      }
    },
  };
}

async function stopFormer(folder: string): Promise<void> {
  if (existsSync(folder)) await stopLeftServer(realpathSync(folder));
}

function unusedName(folder: string, now: Date): string {
  const name = `${folder}.aside-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    if (!lstatSync(candidate, { throwIfNoEntry: false })) return candidate;
  }
}

function sync(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
