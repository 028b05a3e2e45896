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

/** Where the cluster lives or will live, and who runs it with which binaries. */
export type Place = {
  data: string;
  /** There is no cluster yet. */
  fresh: boolean;
  /** Set when `data` lies elsewhere and a link to it must be left here once it exists. */
  link?: string;
  account?: Account;
  binaries: Binaries;
};

/** Where the existing cluster of `folder` really is; undefined when there is none yet. Throws where something else is in the way. */
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
 * Decides where Postgres runs and as whom. An ordinary user runs it in place. Root cannot (Postgres refuses), so an account
 * without rights does, and what lies below a folder that this account cannot enter moves to `outside`.
 */
export async function choosePlace(
  folder: string,
  binaries: Binaries,
  outside: string,
): Promise<Place> {
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
  // The random part makes a deleted folder stay deleted: a new start never finds the old cluster again.
  const name = `${folderHash(folder)}-${randomBytes(6).toString('hex')}`;
  return {
    ...place,
    data: join(realpathSync(openFolder(outside)), name),
    link: folder,
    fresh: true,
  };
}

/** Marks the beginning of every name in `outside` that belongs to this folder. */
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

/** Writes into a cluster outside whose it is. */
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
 * The clusters outside that were this folder's until a person deleted the link. Their files are kept, for the project may
 * have been moved with its link; but a server that a killed app left running on one has nobody who would ever stop it.
 */
export function formerClusters(outside: string, folder: string): string[] {
  const names = readdirSync(outside).filter(
    (name) => name.startsWith(`${folderHash(folder)}-`) && !name.includes('.new-'),
  );
  return names.map((name) => join(outside, name)).filter((data) => notedOwner(data) === folder);
}

/** A project that was copied with its link would share one database with the original. One that was moved may keep it. */
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

/** Whether that account, with all that the system has to say about it, passes these tests of test(1). */
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

/** Who owns the project when root merely starts it: so that this person's own starts find a database they may use. */
function ownerAbove(folder: string): Account {
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    const uid = statSync(above, { throwIfNoEntry: false })?.uid;
    // initdb insists on an account with a name, so a bare number, as in containers, does not do.
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

/** A cluster that came back from a backup, say, and now belongs to root. */
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
