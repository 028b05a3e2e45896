import { createInterface } from 'node:readline';
import { createAdmin } from '../../api/auth/createAdmin.ts';
import { jobContext } from '../../api/core/jobContext.ts';
import { serve } from '../../api/httpServer.ts';
import { openMarket } from '../../api/market.ts';
import { readEnv } from '../../api/ops/env.ts';
import { outboxPageMailer } from '../../api/outbox/mailer.ts';
import { loadPages } from '../../api/pageRenderer.ts';
import { loadAssets } from '../../api/pages/assets.ts';
import { createServices } from '../../api/services.ts';
import { openBot } from '../../bot/open.ts';
import { connect, type Target } from '../../db/client.ts';
import { cloudEnv } from '../../tests/support/cloudMessages.ts';
import { openNetworks } from '../attack/networks.ts';
import { fuzzTokens } from './tokens.ts';

/** Target and folder of the server, and its admin. */
export type Start = {
  target: Target;
  folder: string;
  admin: { email: string; name: string; password: string };
};
/** The first output, once it answers. */
export type Ready = { port: number };

const dist = new URL('../../site/dist/', import.meta.url);

/**
 * The market as `server.ts` starts it, behind a trusted proxy, so that each request can come from
 * another address. Without jobs no mail leaves the outbox; the bot answers as in the demo, and both
 * networks accept its replies.
 */
async function start({ target, folder, admin }: Start): Promise<Ready> {
  const { db, sql } = connect(target);
  const networks = openNetworks();
  const env = readEnv({
    NODE_ENV: 'production',
    // With its sign-in provider, outbox and chat.
    DEMO: '1',
    TRUST_PROXY: '1',
    METRICS_TOKEN: fuzzTokens.metrics,
    ...cloudEnv(networks.root),
    PUBLIC_URL: 'http://market.test',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
  });
  const services = { ...createServices(env, fuzzTokens.market), mailer: outboxPageMailer };
  const now = () => new Date();
  // The demo's chat replaces Telegram's transport behind the Telegram webhook.
  const bot = openBot({ db, sql, services, now });
  const telegram = {
    TELEGRAM_BOT_TOKEN: '4242:a-token-that-nobody-asks-for',
    TELEGRAM_WEBHOOK: true,
    TELEGRAM_WEBHOOK_SECRET: fuzzTokens.telegram,
  };
  const { webhooks } = openBot({
    db,
    sql,
    services: { ...services, env: { ...env, ...telegram, TELEGRAM_API_ROOT: networks.root } },
    now,
  });
  const market = await openMarket({
    db,
    sql,
    services,
    now,
    webhooks,
    pages: await loadPages(dist),
  });
  await createAdmin({ ...jobContext({ db, services, now }, 'fuzz'), auth: market.auth }, admin);
  const assets = await loadAssets(new URL('client/', dist).pathname);
  await bot.start();
  return {
    port: serve({
      app: market.app,
      pageCache: market.pageCache,
      assets,
      hostname: '127.0.0.1',
      port: 0,
      reporter: services.reporter,
    }).port,
  };
}

// One line in, one line out; the input closes when the parent ends, for any reason.
const input = createInterface({ input: process.stdin });
input.once('line', async (line) => console.log(JSON.stringify(await start(JSON.parse(line)))));
input.once('close', () => process.exit(0));
process.on('SIGINT', () => {});
