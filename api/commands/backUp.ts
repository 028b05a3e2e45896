import { resolve } from 'node:path';
import { backupPlace, folderPlace } from '../backup/places.ts';
import { writeBackup } from '../backup/write.ts';
import type { Ctx } from '../core/context.ts';
import { runCommand } from './command.ts';

/**
 * `bun run backup [file]` (docs/backup.md). Without a file it goes where nightly ones go; a file
 * ending in `.age` is encrypted.
 */
async function backUp(ctx: Ctx): Promise<number> {
  const { env } = ctx.services;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const stoppable = { ...ctx, signal: stop.signal };
  const own = process.argv[2];
  const usual = () => backupPlace(env) ?? folderPlace(resolve(env.DATA_DIR, 'backups'), env);
  const { file, bytes, rows, photos, missing } = await (own
    ? writeBackup(stoppable, resolve(own))
    : usual().keep(stoppable));
  for (const key of missing) console.log(`Not in the storage: ${key}`);
  console.log(`${file}: ${(bytes / 1e6).toFixed(1)} MB, ${rows} rows, ${photos} files of photos`);
  return 0;
}

await runCommand(() => backUp, { asItIs: true });
