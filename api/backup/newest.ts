import type { Ctx } from '../core/context.ts';
import { backupsIn } from './names.ts';

/** When the newest backup was made; null before the first, undefined where no backups are made. Throws when their place cannot be read. */
export async function newestBackup({ services: { env } }: Pick<Ctx, 'services'>): Promise<Date | null | undefined> {
  if (!env.BACKUP_DIR) return undefined;
  return (await backupsIn(env.BACKUP_DIR)).at(-1)?.at ?? null;
}
