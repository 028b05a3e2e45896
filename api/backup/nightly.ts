import type { Ctx } from '../core/context.ts';
import type { OpenFile } from './archive.ts';
import { backupPlace } from './places.ts';
import type { Written } from './write.ts';

/** Writes the night's backup, if on, and deletes expired ones. */
export async function backUpEveryNight(
  ctx: Ctx,
  openFile?: OpenFile,
): Promise<(Omit<Written, 'missing'> & { missing: number; deleted: number }) | { off: true }> {
  const { env, log } = ctx.services;
  const place = backupPlace(env);
  if (!place) return { off: true };
  const { missing, ...written } = await place.keep(ctx, openFile);
  if (missing.length > 0)
    log.warn('Photos were not in the storage when they were backed up', {
      files: missing.slice(0, 20),
      count: missing.length,
    });
  // Only after a newer one exists. May fail: a bucket key that cannot delete is good, and bucket
  // rules delete then.
  const deleted = await place
    .prune(new Date(ctx.now().getTime() - env.BACKUP_DAYS * 86_400_000))
    .catch((error) => {
      log.warn('Old backups could not be deleted', { place: place.address, error });
      return 0;
    });
  return { ...written, missing: missing.length, deleted };
}
