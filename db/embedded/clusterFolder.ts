import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { damagedAdvice } from '../faults.ts';
import { makePrivate, passableFolder } from '../privacy.ts';
import { type Binaries, copyBinaries } from './binaries.ts';
import { codeOf, DamagedDatabase, EmbeddedPostgresError } from './errors.ts';
import { writeInside } from './files.ts';
import { type Account, run } from './process.ts';

export type ClusterFolder = {
  data: string;
  fresh: boolean;
  /** Set if `data` is elsewhere and needs a link here. */
  link?: string;
  account?: Account;
  binaries: Binaries;
};

/** Real path of the folder's cluster, or undefined. Throws if anything else is in the way. */
export function existingCluster(folder: string): string | undefined {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (!entry) return undefined;
  if (entry.isSymbolicLink() && !statSync(folder, { throwIfNoEntry: false })) {
    throw new EmbeddedPostgresError(
      `The database folder ${folder} is a link to ${readlinkSync(folder)}, which no longer exists. Bring that back, or delete the link to begin with an empty database.`,
    );
  }
  const data = realpathSync(folder);
  if (statSync(join(data, 'PG_VERSION'), { throwIfNoEntry: false })) return data;
  if (statSync(data).isDirectory() && readdirSync(data).length === 0) return undefined;
  if (existsSync(join(data, 'global')) || existsSync(join(data, 'base')))
    throw new DamagedDatabase(
      `The database in ${folder} has lost its file PG_VERSION.\n${damagedAdvice}`,
    );
  throw new EmbeddedPostgresError(
    `${folder} holds files but no Postgres database. Move it away, or choose another folder.`,
  );
}

/**
 * Decides where and as whom Postgres runs. It refuses root, so an unprivileged account runs it
 * then, and folders that account cannot enter move to `outside`.
 */
export async function chooseClusterFolder(
  folder: string,
  binaries: Binaries,
  outside: string,
): Promise<ClusterFolder> {
  const existing = existingCluster(folder);
  if (existing) checkVersion(existing, binaries);
  const data =
    existing ??
    (lstatSync(folder, { throwIfNoEntry: false })
      ? realpathSync(folder)
      : join(realpathSync(dirname(folder)), basename(folder)));
  if (process.geteuid?.() !== 0) return { data, fresh: !existing, binaries };

  const account = existing ? ownerOf(existing) : ownerAbove(folder);
  const { root } = binaries;
  const reachesBinaries = await can(account, [
    ['-x', binaries.postgres],
    ['-r', join(root, 'lib')],
    ['-r', join(root, 'share/postgresql/postgres.bki')],
  ]);
  const place = {
    account,
    binaries: reachesBinaries ? binaries : copyBinaries(binaries, openFolder(outside)),
  };
  const reachesData = await can(account, [['-x', dirname(data)]]);

  if (existing) {
    if (!reachesData) {
      throw new EmbeddedPostgresError(
        `The account ${account.uid}, which runs Postgres, can no longer enter ${dirname(existing)}. Give it the way back in: chmod o+x on that folder and those above it.`,
      );
    }
    if (statSync(existing).uid === 0) handOver(existing, account);
    if (lstatSync(folder).isSymbolicLink() && dirname(existing) === realpathOrSelf(outside))
      checkNotCopied(existing, folder);
    return { ...place, data, fresh: false };
  }
  if (reachesData) return { ...place, data, fresh: true };
  // Random: after a folder is deleted, a new start never finds its old cluster.
  const name = `${folderHash(folder)}-${randomBytes(6).toString('hex')}`;
  return {
    ...place,
    data: join(realpathSync(openFolder(outside)), name),
    link: folder,
    fresh: true,
  };
}

export function folderHash(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 12);
}

function checkVersion(data: string, binaries: Binaries): void {
  const major = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (!/^\d+$/.test(major))
    throw new DamagedDatabase(
      `The file PG_VERSION of the database in ${data} is damaged.\n${damagedAdvice}`,
    );
  if (major !== binaries.major) {
    throw new EmbeddedPostgresError(
      `The database in ${data} was made by Postgres ${major}; the installed one is ${binaries.major} and cannot read it.`,
    );
  }
}

const ownerNote = 'marche54.folder';

export function noteOwner(data: string, folder: string): void {
  writeInside(data, ownerNote, `${folder}\n`);
}

function notedOwner(data: string): string | undefined {
  try {
    return readFileSync(join(data, ownerNote), 'utf8').trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Outside clusters of this folder whose link was deleted. Files are kept, as the project may have
 * moved with its link; but a server left running on one would never be stopped.
 */
export function formerClusters(outside: string, folder: string): string[] {
  const names = readdirSync(outside).filter(
    (name) => name.startsWith(`${folderHash(folder)}-`) && !name.includes('.new-'),
  );
  return names.map((name) => join(outside, name)).filter((data) => notedOwner(data) === folder);
}

/** A copied link would share the original's database; a moved one may keep it. */
function checkNotCopied(data: string, folder: string): void {
  const owner = notedOwner(data) ?? folder;
  if (owner !== folder && realpathOrSelf(owner) === data) {
    throw new EmbeddedPostgresError(
      `${folder} is a copy of the link ${owner} to the same database. Delete the copy to begin with an empty database.`,
    );
  }
  noteOwner(data, folder);
}

function realpathOrSelf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** True if the account passes these tests of test(1). */
async function can(account: Account, tests: [flag: string, path: string][]): Promise<boolean> {
  try {
    const script = 'while [ $# -gt 0 ]; do test "$1" "$2" || exit 1; shift 2; done';
    return (await run('/bin/sh', ['-c', script, 'sh', ...tests.flat()], account)).ok;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Postgres refuses to run as root, and this system does not let us become user ${account.uid}. Start as an ordinary user, or set DATABASE_URL to a Postgres of your own.`,
      { cause: error },
    );
  }
}

function ownerOf(data: string): Account {
  const { uid, gid } = statSync(data);
  return uid === 0 ? nobody() : (accounts().find((a) => a.uid === uid) ?? { uid, gid });
}

/** The owner of a project started by root, whose own starts must be able to use the database. */
function ownerAbove(folder: string): Account {
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    const uid = statSync(above, { throwIfNoEntry: false })?.uid;
    // initdb insists on a named account; a bare uid, as in containers, does not work.
    const account = uid && accounts().find((a) => a.uid === uid);
    if (account) return account;
  }
  return nobody();
}

function nobody(): Account {
  return accounts().find((a) => a.name === 'nobody') ?? { uid: 65534, gid: 65534 };
}

function accounts(): (Account & { name: string })[] {
  if (!existsSync('/etc/passwd')) return [];
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }));
}

/** A cluster may belong to root after a restore from a backup. */
function handOver(data: string, { uid, gid }: Account): void {
  for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(data, name), uid, gid);
  chownSync(data, uid, gid);
  chmodSync(data, 0o700);
}

function openFolder(path: string): string {
  makePrivate(path, passableFolder);
  if (!(statSync(path).mode & 0o001))
    throw new EmbeddedPostgresError(
      `${path} belongs to another account. Start as that account, choose a DATA_DIR that every account may enter, or set DATABASE_URL to a Postgres of your own.`,
    );
  return path;
}
