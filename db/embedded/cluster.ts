import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type ClusterFolder, folderHash, noteOwner } from './clusterFolder.ts';
import { codeOf, EmbeddedPostgresError, failure, notRunnable } from './errors.ts';
import { run } from './process.ts';

/**
 * Creates an empty cluster beside its place and moves it there, so that an interrupted one never
 * looks complete. Throws EmbeddedPostgresError with initdb's output.
 */
export async function createCluster(
  { data, link, account, binaries }: ClusterFolder,
  durable: boolean,
): Promise<void> {
  clearLeftovers(data, link);
  const draft = `${data}.new-${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(draft, { mode: 0o700 });
    if (account) chownSync(draft, account.uid, account.gid);
    const locale = process.platform === 'darwin' ? darwinLocale : ['--locale=C.UTF-8'];
    const args = [
      '-D',
      draft,
      '-U',
      'postgres',
      '--encoding=UTF8',
      ...locale,
      '--auth=trust',
      '--no-instructions',
    ];
    // Syncing costs 0.1 s; without it a power cut minutes later could destroy the new database.
    if (!durable) args.push('--no-sync');
    const { ok, output } = await run(binaries.initdb, args, account).catch((error: unknown) =>
      notRunnable(binaries.initdb, error),
    );
    if (!ok)
      throw failure(`The database in ${link ?? data} could not be made: initdb failed.`, output);
    if (link) noteOwner(draft, link);
    renameSync(draft, data);
    if (durable) syncFolder(dirname(data));
    if (link) leaveLink(link, data);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (codeOf(error) !== 'EBUSY') throw error;
    throw new EmbeddedPostgresError(
      `${data} is itself a mount point: mount its parent folder instead, or choose a folder inside it.`,
      {
        cause: error,
      },
    );
  }
}

/** macOS lacks C.UTF-8 before version 15; Postgres has its own. */
const darwinLocale = [
  '--locale=en_US.UTF-8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

/** The caller holds the folder's claim, so no leftover is in use. */
function clearLeftovers(data: string, link: string | undefined): void {
  const beginning = link ? `${folderHash(link)}-` : `${basename(data)}.new-`;
  for (const name of readdirSync(dirname(data))) {
    if (!name.startsWith(beginning) || !name.includes('.new-')) continue;
    try {
      rmSync(join(dirname(data), name), { recursive: true, force: true });
    } catch {
      // An initdb that outlived its parent still writes there; the next start removes it.
    }
  }
}

function leaveLink(link: string, data: string): void {
  // At most an empty folder: anything else was refused before.
  if (lstatSync(link, { throwIfNoEntry: false })) rmdirSync(link);
  symlinkSync(data, link);
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
