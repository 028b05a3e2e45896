import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { installedBinaries } from './embedded/binaries.ts';
import { type Claim, claim } from './embedded/claim.ts';
import { createCluster } from './embedded/cluster.ts';
import {
  DamagedDatabase,
  EmbeddedPostgresError,
  explained,
  FolderInUse,
} from './embedded/errors.ts';
import { choosePlace, existingCluster, formerClusters } from './embedded/place.ts';
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
  /** The address of the database `marche54` for postgres.js. It fails where the environment sets PGPORT; `connect()` does not. */
  url: string;
  /** Options for postgres.js to connect to this or another database of the server. */
  connect(database?: string): {
    host: string;
    port: number;
    user: string;
    password?: string;
    database: string;
  };
  /** Stops the server and returns when it is gone; does nothing when it already is. Throws EmbeddedPostgresError if it will not stop. */
  stop(): Promise<void>;
  /** Settles when the server's process is gone, whatever ended it: see `keepRunning`. */
  gone(): Promise<void>;
};

export type EmbeddedOptions = {
  /** Where the database lives; made when missing. Its log is `postgres.log` in there. */
  folder: string;
  /** Settings of Postgres on top of ours, such as `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>;
  /** Take over a server that is already running on the folder, with the settings it was started with. True unless said otherwise. */
  reuse?: boolean;
  /** Where root keeps databases and binaries that an account without rights could not reach in place. */
  outside?: string;
};

const name = 'marche54';

/**
 * Starts, and the first time creates, the Postgres server that lives in `folder`, reachable only through a Unix socket that
 * this account alone can open. The server survives this process: call `stop()`. If it could not be called (kill -9), the next
 * start takes the running server over. Only one process should use a folder at a time: see `lockDataFolder`.
 *
 * Throws FolderInUse when a live server has the folder and `reuse` is false, or when another process keeps starting one, and
 * EmbeddedPostgresError, with the reason, the end of Postgres' log and what to do, when the server cannot be made or started:
 * a DamagedDatabase where its files are, or may be, the reason.
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

/** Removes a socket folder in /tmp. Under the claim, for another process may be starting a server with the same socket folder in this moment. */
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
  const place = await choosePlace(folder, installedBinaries(), outside);
  if (place.link) {
    for (const former of formerClusters(dirname(place.data), place.link)) {
      const abandoned = await runningServer(former);
      if (abandoned) await stopServer(abandoned);
    }
  }
  if (place.fresh) await createCluster(place, settings.fsync !== 'off');
  return { server: await launch(place, settings), data: place.data };
}

/** Two processes that start the same folder at once would both create the cluster: the second waits, then finds the first one's server. */
async function onlyStarter(folder: string): Promise<Claim> {
  for (const deadline = Date.now() + patience; ; await pause(15)) {
    const claimed = claim(`${folder}.starting`);
    if ('release' in claimed) return claimed;
    if (Date.now() > deadline) throw new FolderInUse(folder, claimed.pid);
  }
}
