import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { privateFolder } from '../../db/privacy.ts';
import type { Env } from '../ops/env.ts';
import { answeredWithin, isMissing, type S3Options } from '../ops/storage.ts';
import { BadBackup } from './format.ts';
import { backupName, isBackupName, timeOf } from './names.ts';
import type { BackupPlace, Kept } from './place.ts';
import { openedName, type Receipt, receiptOf, sign, signedLimit, signedValue } from './signed.ts';
import { type Patience, Transfer } from './transfer.ts';
import { backupLimits, writeBackup } from './write.ts';

function partsOf(address: string): { bucket: string; folder: string } {
  const [bucket = '', ...folders] = address.slice('s3://'.length).split('/').filter(Boolean);
  return { bucket, folder: folders.map((name) => `${name}/`).join('') };
}

function optionsOf(env: Env, bucket: string): S3Options {
  const endpoint = env.BACKUP_S3_ENDPOINT ?? env.S3_ENDPOINT;
  const accessKeyId = env.BACKUP_S3_ACCESS_KEY_ID ?? env.S3_ACCESS_KEY_ID;
  const secretAccessKey = env.BACKUP_S3_SECRET_ACCESS_KEY ?? env.S3_SECRET_ACCESS_KEY;
  if (!endpoint || !accessKeyId || !secretAccessKey)
    throw new BadBackup(
      'The bucket needs BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY in the environment.',
    );
  return {
    bucket,
    endpoint,
    region: env.BACKUP_S3_REGION ?? env.S3_REGION,
    accessKeyId,
    secretAccessKey,
  };
}

const requestMs = 30_000;
/** More pages than this were not written by the market. */
const mostPages = 20;
/** Older files are abandoned: BACKUP_MINUTES is a day at most. */
const deadMs = 48 * 3_600_000;

/** Holds only encrypted files, on their way to or from a bucket. */
async function passingFolder(env: Env, now: Date): Promise<string> {
  const folder = join(resolve(env.DATA_DIR), 'backups', 'passing');
  await mkdir(folder, { recursive: true, mode: privateFolder });
  for (const name of await readdir(folder)) {
    const about = await stat(join(folder, name)).catch(() => undefined);
    if (about && about.mtimeMs < now.getTime() - deadMs)
      await rm(join(folder, name), { force: true });
  }
  return folder;
}

type Bucket = {
  /** `s3://…`, for messages. */
  address: string;
  folder: string;
  key: string;
  env: Env;
  client: Bun.S3Client;
  transfer: Transfer;
};

const answered = <T>(request: Promise<T>) => answeredWithin(requestMs, request);

/** Backups in a bucket (decision 052); one counts only with a matching signed receipt. */
export function bucketPlace(
  env: Env,
  address: string,
  patience?: Patience,
): BackupPlace & { bring(name: string, now: Date): Promise<string> } {
  const { bucket: name, folder } = partsOf(address);
  const { BACKUP_KEY: key } = env;
  if (!key)
    throw new BadBackup(
      'A backup from a bucket is restored with BACKUP_KEY in the environment alone: without it, one that was forged there could not be told.',
    );
  const options = optionsOf(env, name);
  const client = new Bun.S3Client(options);
  const transfer = new Transfer(options, patience);
  const bucket = { address: `s3://${name}/${folder}`, folder, key, env, client, transfer };
  return {
    address: bucket.address,
    list: async () => listed(await sizes(bucket)),
    newest: () => newest(bucket),
    keep: (ctx, openFile) => keep(bucket, ctx, openFile),
    prune: (before) => prune(bucket, before),
    note: () => small(bucket, openedName),
    writeNote: async (text) => void (await answered(client.write(folder + openedName, text))),
    bring: (file, now) => bring(bucket, file, now),
  };
}

async function sizes({ client, folder }: Bucket): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  let token: string | undefined;
  for (let page = 0; page === 0 || token; page++) {
    if (page === mostPages)
      throw new Error('There are more objects in the bucket than the market ever wrote.');
    const answer = await answered(
      client.list({
        prefix: `${folder}marche54-`,
        maxKeys: 1000,
        ...(token ? { continuationToken: token } : {}),
      }),
    );
    for (const { key: path, size } of answer.contents ?? [])
      found.set(path.slice(folder.length), size ?? 0);
    token = answer.isTruncated ? answer.nextContinuationToken : undefined;
  }
  return found;
}

async function small({ client, folder }: Bucket, name: string): Promise<string | undefined> {
  try {
    const file = client.file(folder + name);
    const { size } = await answered(file.stat());
    // Another size is not ours, and a range of an empty object is an error.
    return size > 0 && size <= signedLimit ? await answered(file.slice(0, signedLimit).text()) : '';
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function receiptFor(bucket: Bucket, name: string): Promise<Receipt | undefined> {
  const text = (await small(bucket, receiptOf(name))) ?? '';
  const receipt = signedValue('receipt', text, bucket.key);
  return receipt?.name === name ? receipt : undefined;
}

const listed = (found: Map<string, number>): Kept[] =>
  [...found.keys()]
    .filter((name) => isBackupName(name) && found.has(receiptOf(name)))
    .toSorted()
    .map((name) => ({ name, at: timeOf(name) }));

async function newest(bucket: Bucket): Promise<Kept | undefined> {
  const found = await sizes(bucket);
  // Anyone with write access can add names; a few forged ones must not hide ours.
  for (const kept of listed(found).toReversed().slice(0, 20)) {
    const receipt = await receiptFor(bucket, kept.name);
    if (receipt && receipt.bytes === found.get(kept.name)) return kept;
  }
  return undefined;
}

async function keep(
  { address, folder, key, env, client, transfer }: Bucket,
  ...[ctx, openFile]: Parameters<BackupPlace['keep']>
): ReturnType<BackupPlace['keep']> {
  const limits = backupLimits(env);
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new Error('it took longer than BACKUP_MINUTES')),
    limits.wholeMs,
  );
  const name = backupName(ctx.now(), true);
  const file = join(await passingFolder(env, ctx.now()), name);
  try {
    // To disk first: snapshot and lock, which photo deletions wait for, must not last as long as
    // the upload.
    const written = await writeBackup(ctx, file, limits, openFile);
    const signal = AbortSignal.any([
      ctx.services.leaving,
      late.signal,
      ...(ctx.signal ? [ctx.signal] : []),
    ]);
    const sent = await transfer.send(file, folder + name, signal);
    const { size } = await answered(client.stat(folder + name));
    if (size !== sent.bytes) throw new Error(`The bucket has ${size} of ${sent.bytes} bytes.`);
    await answered(client.write(folder + receiptOf(name), sign('receipt', { name, ...sent }, key)));
    return { ...written, file: address + name };
  } catch (error) {
    throw new Error(
      `The backup did not get into ${address}, and does not count: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
    await rm(file, { force: true });
  }
}

async function prune(bucket: Bucket, before: Date): Promise<number> {
  let deleted = 0;
  for (const name of (await sizes(bucket)).keys()) {
    const backup = name.replace(/\.receipt$/, '');
    if (!isBackupName(backup) || timeOf(backup) >= before) continue;
    await answered(bucket.client.delete(bucket.folder + name));
    if (name === backup) deleted++;
  }
  return deleted;
}

/** Downloads a backup into the passing folder and answers the file. */
async function bring(bucket: Bucket, name: string, now: Date): Promise<string> {
  const receipt = await receiptFor(bucket, name);
  if (!receipt)
    throw new BadBackup(
      `${name} has no receipt in the bucket that was signed with your BACKUP_KEY: it was cut while it was sent, or somebody else put it there.`,
    );
  const file = join(await passingFolder(bucket.env, now), `${randomUUID()}-${name}`);
  try {
    await bucket.transfer.receive(bucket.folder + name, file, receipt);
    return file;
  } catch (error) {
    await rm(file, { force: true });
    if (error instanceof BadBackup) throw error;
    throw new BadBackup(
      `The backup could not be fetched: ${error instanceof Error ? error.message : error}. Nothing was touched; try again.`,
      { cause: error },
    );
  }
}
