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

/** A database that is filled beside the one whose place it will take. */
export type Replacement = {
  server: EmbeddedPostgres;
  /**
   * Moves the former folder aside, under a dated name, and the new one into its place. Call it when the new server is
   * stopped. Resolves with the former's new path, or undefined where there was none. Deletes nothing.
   */
  takePlace(now: Date): Promise<string | undefined>;
};

/**
 * Starts a new database beside the one in `folder`, which is neither opened nor changed and may be damaged. One that an
 * interrupted attempt left beside it is used again. The caller holds the data folder.
 */
export async function startReplacement(folder: string): Promise<Replacement> {
  await stopFormer(folder);
  const beside = `${folder}.restoring`;
  const server = await startEmbeddedPostgres({ folder: beside });
  return {
    server,
    async takePlace(now) {
      // Under the claim: another command may be starting the former one in this moment.
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
