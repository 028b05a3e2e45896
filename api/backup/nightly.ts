import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ctx } from '../core/context.ts';
import type { OpenFile } from './archive.ts';
import { backupName, backupsIn } from './names.ts';
import { type Written, writeBackup } from './write.ts';

/** The timetable's part: writes the night's backup where there is a place for it, and deletes those that are older than they are kept. */
export async function backUpEveryNight(
  ctx: Ctx,
  openFile?: OpenFile,
): Promise<(Omit<Written, 'missing'> & { missing: number; deleted: number }) | { off: true }> {
  const { BACKUP_DIR: folder, BACKUP_DAYS: days } = ctx.services.env;
  if (!folder) return { off: true };
  const { missing, ...written } = await writeBackup(ctx, join(folder, backupName(ctx.now())), undefined, openFile);
  if (missing.length > 0)
    ctx.services.log.warn('Photos were not in the storage when they were backed up', { files: missing.slice(0, 20), count: missing.length });
  const limit = ctx.now().getTime() - days * 86_400_000;
  // Only now that there is a newer one.
  const old = (await backupsIn(folder)).filter(({ at }) => at.getTime() < limit);
  for (const { file } of old) await rm(file, { force: true });
  return { ...written, missing: missing.length, deleted: old.length };
}
