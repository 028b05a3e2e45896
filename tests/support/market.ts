import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright';
import { afterAll, afterEach } from 'vitest';
import { serve } from '../../api/httpServer.ts';
import { openMarket as openLiveMarket } from '../../api/market.ts';
import { diskStorage } from '../../api/ops/storage.ts';
import { smtpMailer } from '../../api/outbox/mailer.ts';
import { loadPages } from '../../api/pageRenderer.ts';
import { loadAssets } from '../../api/pages/assets.ts';
import { runJob } from '../../jobs/run.ts';
import { schedule } from '../../jobs/schedule.ts';
import type { Language } from '../../locales/languages.ts';
import { testApp } from './app.ts';
import { findBrowser, quietly } from './chromium.ts';
import type { TestDatabase } from './database.ts';
import { smtpServer } from './smtpServer.ts';

const dist = new URL('../../site/dist/', import.meta.url);

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1440, height: 900 };

/**
 * Playwright keeps the memory that a browser's processes share in files on disk, since `/dev/shm` may
 * be small in a container. Where it is roomy, using it saves a twelfth of the processor time.
 */
const roomy = 512 * 1024 * 1024;
const ignoreDefaultArgs = (() => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > roomy ? ['--disable-dev-shm-usage'] : [];
  } catch {
    return [];
  }
})();

let shared: Promise<Browser> | undefined;
function browser(): Promise<Browser> {
  shared ??= findBrowser().then((executablePath) =>
    chromium.launch({ executablePath, args: quietly, ignoreDefaultArgs }),
  );
  return shared;
}

/** Read once by all files of a worker. */
let built: ReturnType<typeof loadAssets> | undefined;
function builtFiles() {
  built ??= loadAssets(new URL('client/', dist).pathname);
  return built;
}

export type Market = Awaited<ReturnType<typeof openMarket>>;
export type Visit = {
  language: Language;
  viewport?: { width: number; height: number };
  javaScriptEnabled?: boolean;
  colorScheme?: 'light' | 'dark';
  deviceScaleFactor?: number;
  extraHTTPHeaders?: Record<string, string>;
  /** Blocked unless a test is about the worker, whose requests no test can intercept. */
  serviceWorkers?: 'allow';
};

/**
 * Runs the built product for browser tests over real HTTP and SMTP, with its own database, photos
 * on disk and a movable clock. Call it at the top of a test file.
 * @param given an existing database and photo folder
 */
export async function openMarket(
  env: Record<string, string> = {},
  given: { database?: TestDatabase; folder?: string } = {},
) {
  // The port first, since pages and links contain it. Nobody knows it before the market is there.
  let live: Awaited<ReturnType<typeof openLiveMarket>>;
  const server = serve({
    app: { fetch: (...request) => live.app.fetch(...request) },
    pageCache: { respond: (...request) => live.pageCache.respond(...request) },
    assets: await builtFiles(),
    hostname: '127.0.0.1',
    port: 0,
  });
  const { port } = server;
  const post = await smtpServer();
  const folder = given.folder ?? mkdtempSync(join(tmpdir(), 'marche54-market-'));
  const mailer = smtpMailer(post.url, 'Marché 54 <market@market.test>');
  // Now, because browsers expire session cookies by their own clock.
  const market = await testApp({
    ...(given.database ? { database: given.database } : {}),
    mailer,
    storage: diskStorage(folder),
    now: new Date(),
    env: { PUBLIC_URL: `http://localhost:${port}`, ...env },
  });
  const { db, sql, services, clock } = market;
  live = await openLiveMarket({
    db,
    sql,
    services,
    now: clock.now,
    pages: await loadPages(dist),
  });
  const { pageCache, broadcast, close } = live;
  const contexts: BrowserContext[] = [];

  /** Runs a scheduled job now, as croner would. */
  async function runNow(name: string): Promise<unknown> {
    const found = schedule.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`There is no job ${name}`);
    const { outcome, detail } = await runJob(market.host, found);
    if (outcome !== 'done') throw new Error(`${name}: ${outcome}`);
    // The job only wakes the delivery.
    if (name === 'deliver-outbox') await market.mails.deliver();
    return detail;
  }

  async function context({
    language,
    viewport = phone,
    ...options
  }: Visit): Promise<BrowserContext> {
    const locale = language === 'fr' ? 'fr-CM' : 'en-GB';
    const made = await (await browser()).newContext({
      baseURL: market.env.publicUrl,
      viewport,
      locale,
      timezoneId: 'Africa/Douala',
      serviceWorkers: 'block',
      ...(options as BrowserContextOptions),
    });
    made.setDefaultTimeout(25_000);
    contexts.push(made);
    return made;
  }

  /** Opens a page in its own profile; page errors are collected in `errors`. */
  async function visit(options: Visit): Promise<Page & { errors: string[] }> {
    const page = (await (await context(options)).newPage()) as Page & { errors: string[] };
    page.errors = [];
    page.on('pageerror', (error) => page.errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && /content security policy/i.test(message.text()))
        page.errors.push(message.text());
    });
    return page;
  }

  async function letterTo(address: string) {
    await runNow('deliver-outbox');
    return post.lastTo(address);
  }

  // Open pages would keep sending requests during the next test.
  afterEach(async () => {
    for (const open of contexts.splice(0)) await open.close();
  });
  afterAll(async () => {
    await (await shared)?.close();
    shared = undefined;
    // First: the drain would wait for streams that never end.
    broadcast.close();
    await server.stop();
    await close();
    mailer.close();
    await post.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    ...market,
    pageCache,
    broadcast,
    port,
    url: market.env.publicUrl,
    post,
    letterTo,
    runNow,
    context,
    visit,
  };
}

export function linkIn(letter: { text: string; subject: string }): string {
  const link = /https?:\/\/\S+/.exec(letter.text)?.[0];
  if (!link) throw new Error(`There is no link in “${letter.subject}”`);
  return link;
}
