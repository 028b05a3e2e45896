import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const named = /^marche54-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.tar(?:\.age)?$/;

/** The ending of an encrypted backup. */
export const sealedEnding = '.age';
/** The name says when: a copy of the file on another machine has another time. */
export const backupName = (now: Date, sealed = false): string =>
  `marche54-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar${sealed ? sealedEnding : ''}`;
export const isBackupName = (name: string): boolean => named.test(name);
/** When a backup was begun, by its name. */
export const timeOf = (name: string): Date => new Date(name.replace(named, '$1-$2-$3T$4:$5:$6Z'));

/** The backups in a folder, the oldest first. Other files there are left alone. */
export async function backupsIn(folder: string): Promise<{ file: string; at: Date }[]> {
  const names = (await readdir(folder)).filter(isBackupName).toSorted();
  return names.map((name) => ({ file: join(folder, name), at: timeOf(name) }));
}
