import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ctx } from '../core/context.ts';
import { type Written, writeBackup } from './write.ts';

const named = /^marche54-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.tar$/;

/** The name says when: a copy of the file on another machine has another time. */
export const backupName = (now: Date): string => `marche54-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar`;

/** The backups in a folder, the oldest first. Whatever else is there is none of our business. */
export async function backupsIn(folder: string): Promise<{ file: string; at: Date }[]> {
  const names = (await readdir(folder)).filter((name) => named.test(name)).toSorted();
  return names.map((name) => ({ file: join(folder, name), at: new Date(name.replace(named, '$1-$2-$3T$4:$5:$6Z')) }));
}

/** The timetable's part: writes the night's backup where there is a place for it, and deletes those that are older than they are kept. */
export async function backUpEveryNight(ctx: Ctx): Promise<(Omit<Written, 'missing'> & { missing: number; deleted: number }) | { off: true }> {
  const { BACKUP_DIR: folder, BACKUP_DAYS: days } = ctx.services.env;
  if (!folder) return { off: true };
  const { missing, ...written } = await writeBackup(ctx, join(folder, backupName(ctx.now())));
  if (missing.length > 0)
    ctx.services.log.warn('Photos were not in the storage when they were backed up', { files: missing.slice(0, 20), count: missing.length });
  const limit = ctx.now().getTime() - days * 86_400_000;
  // Only now that there is a newer one.
  const old = (await backupsIn(folder)).filter(({ at }) => at.getTime() < limit);
  for (const { file } of old) await rm(file, { force: true });
  return { ...written, missing: missing.length, deleted: old.length };
}
