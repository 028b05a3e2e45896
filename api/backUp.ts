import { join, resolve } from 'node:path';
import { backupName } from './backup/names.ts';
import { writeBackup } from './backup/write.ts';
import { runCommand } from './command.ts';
import type { Ctx } from './core/context.ts';

/** `bun run backup [file]`: one consistent file with database and photos, beside a running market or alone (docs/backup.md). */
async function backUp(ctx: Ctx): Promise<number> {
  const { BACKUP_DIR, DATA_DIR } = ctx.services.env;
  const file = resolve(process.argv[2] ?? join(BACKUP_DIR ?? join(DATA_DIR, 'backups'), backupName(ctx.now())));
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const { bytes, rows, photos, missing } = await writeBackup({ ...ctx, signal: stop.signal }, file);
  for (const key of missing) console.log(`Not in the storage: ${key}`);
  console.log(`${file}: ${(bytes / 1e6).toFixed(1)} MB, ${rows} rows, ${photos} files of photos`);
  return 0;
}

await runCommand(() => backUp, { asItIs: true });
