import { createServer } from 'node:net';
import { hasOneKey } from './backup/oneKey.ts';
import { attempt, log } from './lifecycle.ts';
import { openDatabase, takeFolder } from './marketData.ts';
import type { Env } from './ops/env.ts';
import { loadPages } from './pageRenderer.ts';
import { loadAssets } from './pages/assets.ts';
import { buildSite } from './pages/build.ts';
import { run } from './runMarket.ts';

const dist = new URL('../site/dist/', import.meta.url);

async function start(env: Env): Promise<void> {
  if (!env.roles.has('web') && !env.DATABASE_URL)
    throw new Error(
      'A process without the web stands beside one with it: give both the same DATABASE_URL. On the embedded database, bun start runs all of it.',
    );
  if (env.roles.size === 1 && env.roles.has('bot') && env.networks.length === 0)
    throw new Error('No chat network is configured: docs/chat.md says how.');
  if (hasOneKey(env))
    log.warn(
      'Backups are encrypted to one key alone: if it is lost, nothing comes back. Give BACKUP_RECIPIENTS a second one',
    );
  const folder = await takeFolder(env);
  if (!env.SHARE_PORT) await refuseTakenPort(env);

  const site = env.roles.has('web');
  const [pools] = await Promise.all([openDatabase(env, folder), site && buildSite()]);
  await (site
    ? run(env, pools, await loadPages(dist), await loadAssets(new URL('client/', dist).pathname))
    : run(env, pools));
}

function refuseTakenPort(env: Env): Promise<void> {
  return new Promise((fulfil, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Error(
          error.code === 'EADDRINUSE'
            ? `Port ${env.PORT} is already taken. Choose another one, for example PORT=${env.PORT + 1}.`
            : `Port ${env.PORT} cannot be used: ${error.message}`,
        ),
      ),
    );
    probe.listen(env.PORT, env.HOST, () => probe.close(() => fulfil()));
  });
}

if (import.meta.main) await attempt(start);
