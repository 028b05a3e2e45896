import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const named = /^marche54-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.tar(?:\.age)?$/;

export const sealedEnding = '.age';
/** The name holds the time, since a copied file gets a new one. */
export const backupName = (now: Date, sealed = false): string =>
  `marche54-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar${sealed ? sealedEnding : ''}`;
export const isBackupName = (name: string): boolean => named.test(name);
/** Time at which the backup was begun. */
export const timeOf = (name: string): Date => new Date(name.replace(named, '$1-$2-$3T$4:$5:$6Z'));

/** Backups in a folder, oldest first. */
export async function backupsIn(folder: string): Promise<{ file: string; at: Date }[]> {
  const names = (await readdir(folder)).filter(isBackupName).toSorted();
  return names.map((name) => ({ file: join(folder, name), at: timeOf(name) }));
}
