import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { privateFile } from '../../db/privacy.ts';
import type { Env } from '../ops/env.ts';
import { bucketPlace } from './bucket.ts';
import { BadBackup } from './format.ts';
import { backupName, backupsIn, isBackupName } from './names.ts';
import type { BackupPlace, Source } from './place.ts';
import { openedName } from './signed.ts';
import { writeBackup } from './write.ts';

const isBucket = (address: string): boolean => address.startsWith('s3://');

/** The place of BACKUP_DIR; undefined if not set. */
export const backupPlace = (env: Env): BackupPlace | undefined =>
  env.BACKUP_DIR
    ? isBucket(env.BACKUP_DIR)
      ? bucketPlace(env, env.BACKUP_DIR)
      : folderPlace(env.BACKUP_DIR, env)
    : undefined;

export function folderPlace(
  folder: string,
  { BACKUP_RECIPIENTS: recipients }: Pick<Env, 'BACKUP_RECIPIENTS'>,
): BackupPlace {
  const list = async () =>
    (await backupsIn(folder)).map(({ file, at }) => ({ name: basename(file), at }));
  return {
    address: folder,
    list,
    newest: async () => (await list()).at(-1),
    keep: (ctx, openFile) =>
      writeBackup(
        ctx,
        join(folder, backupName(ctx.now(), recipients.length > 0)),
        undefined,
        openFile,
      ),
    async prune(before) {
      const old = (await backupsIn(folder)).filter(({ at }) => at < before);
      for (const { file } of old) await rm(file, { force: true });
      return old.length;
    },
    note: () =>
      readFile(join(folder, openedName), 'utf8').catch((error) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }),
    async writeNote(text) {
      const beside = join(folder, `${openedName}.part`);
      await writeFile(beside, text, { mode: privateFile });
      await rename(beside, join(folder, openedName));
    },
  };
}

/**
 * Finds a backup by file, bucket address or `newest`, and downloads it from a bucket. Throws {@link
 * BadBackup}.
 */
export async function openSource(env: Env, wanted: string, now: Date): Promise<Source> {
  const address = wanted === 'newest' ? await newestAddress(env) : wanted;
  const name = basename(address);
  if (!isBucket(address))
    return {
      file: resolve(address),
      name,
      place: folderPlace(dirname(resolve(address)), env),
      done: async () => {},
    };
  if (!isBackupName(name))
    throw new BadBackup(`${address} is no backup of the market: bun run backup:list names them.`);
  const place = bucketPlace(env, dirname(address));
  const file = await place.bring(name, now);
  return { file, name, place, done: () => rm(file, { force: true }) };
}

async function newestAddress(env: Env): Promise<string> {
  const place = backupPlace(env);
  if (!place)
    throw new BadBackup('BACKUP_DIR is not set: which backup is the newest is not known.');
  const newest = await place.newest();
  if (!newest) throw new BadBackup(`There is no whole backup in ${place.address}.`);
  return `${place.address.replace(/\/$/, '')}/${newest.name}`;
}
