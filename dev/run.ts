import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { BadEnvironment, readEnv } from '../api/ops/env.ts';
import { DataFolderInUse, lockDataFolder } from '../db/datafolder.ts';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { servePages } from './pages.ts';
import { supervise } from './supervisor.ts';

/**
 * `bun run dev`: runs database and Astro's development server, and restarts the API at each change
 * (decision 015).
 */
const undo: (() => Promise<unknown>)[] = [];
/** Groups the saves of one change. */
const settleMs = 60;

async function start(): Promise<void> {
  const env = readEnv(process.env);
  const given = { ...process.env };
  // Serves sources: not to other machines unless the environment says so.
  const host = given.HOST || '127.0.0.1';
  const folder = resolve(env.DATA_DIR);
  const lock = await lockDataFolder(folder, { embedded: !env.DATABASE_URL });
  undo.push(() => lock.release());
  let target: unknown = env.DATABASE_URL;
  if (!env.DATABASE_URL) {
    const embedded = await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
    undo.push(() => embedded.stop());
    target = embedded.connect();
  }
  const word = randomBytes(24).toString('base64url');
  const api = supervise(new URL('api.ts', import.meta.url).pathname, {
    ...given,
    // Only this process reaches it, and passes on the client's address.
    HOST: '127.0.0.1',
    DEV_HOST: host,
    PORT: '0',
    TRUST_PROXY: '1',
    PUBLIC_URL: env.publicUrl,
    DEMO: env.demo ? '1' : '0',
    DEV_DATABASE: JSON.stringify(target),
    DEV_PAGES: `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${env.PORT}`,
    DEV_TOKEN: word,
  });
  undo.push(() => api.stop());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pages = await servePages({
    host,
    port: env.PORT,
    names: [new URL(env.publicUrl).hostname],
    word,
    api,
    changed(file) {
      clearTimeout(timer);
      timer = setTimeout(() => api.restart(`${file} changed: the API starts again.`), settleMs);
    },
  });
  undo.splice(undo.length - 1, 0, () => pages.stop());
}

let stopping: Promise<void> | undefined;
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    for (const step of undo.reverse()) await step().catch((error) => console.error(error));
    process.exit(code);
  })();
  return stopping;
}
process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));

try {
  await start();
} catch (error) {
  const known = error instanceof BadEnvironment || error instanceof DataFolderInUse;
  console.error(known || error instanceof Error ? (error as Error).message : error);
  await stop(1);
}
