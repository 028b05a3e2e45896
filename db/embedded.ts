import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { installedBinaries } from './embedded/binaries.ts';
import { type Claim, claim } from './embedded/claim.ts';
import { createCluster } from './embedded/cluster.ts';
import { chooseClusterFolder, existingCluster, formerClusters } from './embedded/clusterFolder.ts';
import {
  DamagedDatabase,
  EmbeddedPostgresError,
  explained,
  FolderInUse,
} from './embedded/errors.ts';
import { pause } from './embedded/process.ts';
import {
  ended,
  ensureDatabase,
  launch,
  patience,
  runningServer,
  type Server,
  stopServer,
} from './embedded/server.ts';
import { addressOf, removeSocketFolder } from './embedded/socket.ts';

export { DamagedDatabase, EmbeddedPostgresError, FolderInUse };

export type EmbeddedPostgres = {
  /** Fails if the environment sets PGPORT; `connect()` does not. */
  url: string;
  /** postgres.js options; the database `marche54` by default. */
  connect(database?: string): {
    host: string;
    port: number;
    user: string;
    password?: string;
    database: string;
  };
  /** Waits for the server's end. Throws EmbeddedPostgresError if it will not stop. */
  stop(): Promise<void>;
  /** Resolves when the server's process has ended for any reason. */
  gone(): Promise<void>;
};

export type EmbeddedOptions = {
  /** Created if missing. The log is `postgres.log` inside. */
  folder: string;
  /** Such as `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>;
  /** Takes over a server already running on the folder, with its settings. Default true. */
  reuse?: boolean;
  /** Root's folder for files the unprivileged account could not reach in place. */
  outside?: string;
};

const name = 'marche54';

/**
 * Starts the Postgres server in `folder`, creating it if needed, on a private Unix socket. It
 * survives this process: call `stop()`. After a kill -9 the next start takes it over. Use one
 * process per folder (`lockDataFolder`).
 * Throws FolderInUse if a live server has the folder and `reuse` is false, or another process keeps
 * starting one; EmbeddedPostgresError with reason, log and advice; DamagedDatabase if damaged files
 * may be the reason.
 */
export async function startEmbeddedPostgres({
  folder,
  settings = {},
  reuse = true,
  outside = '/var/lib/marche54',
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const absolute = resolve(folder);
  let claimed: Claim | undefined;
  try {
    mkdirSync(dirname(absolute), { recursive: true });
    claimed = await onlyStarter(absolute);
    const running = await reusable(absolute);
    if (running && !reuse) throw new FolderInUse(absolute, running.server.pid);
    const { server, data } = running ?? (await startFresh(absolute, settings, outside));
    try {
      await ensureDatabase(server.socket, name);
    } catch (error) {
      if (!running) await stopServer(server);
      throw error;
    }
    return {
      url: addressOf(server.socket, name),
      connect: (database = name) => ({ ...server.socket, user: 'postgres', database }),
      async stop() {
        await stopServer(server);
        tidy(absolute, data, server);
      },
      gone: () => ended(server),
    };
  } catch (error) {
    throw explained(error, absolute);
  } finally {
    claimed?.release();
  }
}

/**
 * Under the claim, because another process may just be starting a server with this socket folder.
 */
function tidy(folder: string, data: string, { socket }: Server): void {
  if (socket.host.startsWith(`${data}/`)) return;
  const claimed = existsSync(dirname(folder)) ? claim(`${folder}.starting`) : undefined;
  if (claimed && !('release' in claimed)) return;
  if (!existsSync(join(data, 'postmaster.pid'))) removeSocketFolder(data, socket.host);
  claimed?.release();
}

async function reusable(folder: string): Promise<{ server: Server; data: string } | undefined> {
  const data = existingCluster(folder);
  const server = data && (await runningServer(data));
  return server ? { server, data } : undefined;
}

async function startFresh(
  folder: string,
  settings: Record<string, string>,
  outside: string,
): Promise<{ server: Server; data: string }> {
  const place = await chooseClusterFolder(folder, installedBinaries(), outside);
  if (place.link) {
    for (const former of formerClusters(dirname(place.data), place.link)) {
      const abandoned = await runningServer(former);
      if (abandoned) await stopServer(abandoned);
    }
  }
  if (place.fresh) await createCluster(place, settings.fsync !== 'off');
  return { server: await launch(place, settings), data: place.data };
}

/** Otherwise two processes starting the same folder would both create the cluster. */
async function onlyStarter(folder: string): Promise<Claim> {
  for (const deadline = Date.now() + patience; ; await pause(15)) {
    const claimed = claim(`${folder}.starting`);
    if ('release' in claimed) return claimed;
    if (Date.now() > deadline) throw new FolderInUse(folder, claimed.pid);
  }
}
