import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Env } from './env.ts';

export type Disk = { folder: 'data' | 'backups'; free: number; size: number };

/** Bytes of the disk of a folder that may not exist yet; space for root is not free. */
async function diskOf(folder: string): Promise<{ device: number; free: number; size: number }> {
  try {
    const [{ dev }, { bavail, blocks, bsize }] = await Promise.all([stat(folder), statfs(folder)]);
    return { device: dev, free: bavail * bsize, size: blocks * bsize };
  } catch (error) {
    const above = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error;
    return diskOf(above);
  }
}

/** Lists a shared disk once and skips unreadable folders. */
export async function disksOf({
  DATA_DIR,
  BACKUP_DIR,
}: Pick<Env, 'DATA_DIR' | 'BACKUP_DIR'>): Promise<Disk[]> {
  const folders = [
    { folder: 'data' as const, path: DATA_DIR },
    ...(BACKUP_DIR ? [{ folder: 'backups' as const, path: BACKUP_DIR }] : []),
  ];
  const found = await Promise.allSettled(
    folders.map(async ({ folder, path }) => ({ folder, ...(await diskOf(resolve(path))) })),
  );
  const disks = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  return disks
    .filter((disk, index) => disks.findIndex(({ device }) => device === disk.device) === index)
    .map(({ device: _, ...disk }) => disk);
}
