import { createHash, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { createApp } from '../../api/app.ts';
import { actorOf } from '../../api/auth/actor.ts';
import type { Ctx, Services } from '../../api/core/context.ts';
import { jobContext } from '../../api/core/jobContext.ts';
import type { Adapter, Mailer, PushFetch } from '../../api/core/ports.ts';
import { createLoad } from '../../api/http/load.ts';
import { readEnv } from '../../api/ops/env.ts';
import { createLog } from '../../api/ops/log.ts';
import { createMetrics } from '../../api/ops/metrics.ts';
import { createReporter } from '../../api/ops/reporter.ts';
import type { Storage } from '../../api/ops/storage.ts';
import type { Pages } from '../../api/pages/pages.ts';
import { simulation } from '../../api/payments/adapters.ts';
import { demoNetworkIn, signInWith } from '../../api/services.ts';
import type { ErrorBody } from '../../api/shared/errors.ts';
import { createReception, type ReceptionLimits } from '../../api/uploads/reception.ts';
import { openBot } from '../../bot/open.ts';
import type { Db } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import { type Clock, standingClock } from './clock.ts';
import { marketDatabase, resetMarket, type TestDatabase } from './database.ts';
import { Jar } from './jar.ts';
import { capturingMails, type Mails } from './mail.ts';
import { sharedPictures } from './pictures.ts';
import { type MemoryStorage, memoryStorage } from './storage.ts';

/** Sends and keeps cookies: an actor of `actors.ts`, or a jar. */
export type Caller = { jar: Jar };
export type RequestOptions = {
  method?: string;
  json?: unknown;
  form?: Record<string, string>;
  body?: BodyInit;
  as?: Caller;
  language?: Language;
  headers?: Record<string, string>;
  /** Network address that the server sees; any other word maps to an address of its own. */
  address?: string;
  /** Called in-process with this context, as pages do; cookies are then ignored. */
  ctx?: Ctx;
};
export type Answer<T> = { status: number; body: T; headers: Headers };

export type TestAppOptions = {
  database?: TestDatabase;
  env?: Record<string, string>;
  storage?: Storage;
  mailer?: Mailer;
  now?: Date | string;
  pages?: Pages;
  reception?: Partial<ReceptionLimits>;
  payments?: readonly Adapter[];
  pushFetch?: PushFetch;
  equalTimeMs?: number;
};

export type TestApp = Awaited<ReturnType<typeof testApp>>;

const addressNamed = (name: string): string =>
  `10.${[...createHash('sha256').update(name).digest().subarray(0, 3)].join('.')}`;

const secret = 'a signing key that only tests know, long enough';

// Cheap hashes that the same code verifies: thousands of people sign up in a run.
const { hash } = Bun.password;
Object.assign(Bun.password, {
  hash: (password: string) => hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 }),
});

/**
 * Assembles the product as `server.ts` does, with its own database, movable clock, memory storage
 * and letter box. Call it at the top of a test file. Not a demo unless `env` has `DEMO: '1'`.
 */
export async function testApp({
  database,
  env: extra = {},
  storage: given,
  mailer,
  now,
  pages,
  reception,
  payments = [simulation],
  pushFetch = async () => new Response(null, { status: 503 }),
  // Each sign-up would take 400 ms.
  equalTimeMs = 1,
}: TestAppOptions = {}) {
  const data = database ?? (await marketDatabase());
  const clock: Clock = standingClock(now);
  const start = clock.now();
  // A hundredfold: all tests share one address, and the stopped clock gives nothing back.
  const env = readEnv({
    NODE_ENV: 'test',
    DEMO: '0',
    SMTP_URL: 'smtp://localhost:25',
    PUBLIC_URL: 'http://market.test',
    LOAD_LIMITS: '100',
    ...extra,
  });
  const memory: MemoryStorage = memoryStorage(clock.now);
  const logged: { level: string; message: string; [field: string]: unknown }[] = [];
  const mails: Mails = capturingMails(() => job('deliver-outbox'));
  const log = createLog({
    level: 'debug',
    write: (line) => logged.push(JSON.parse(line)),
    now: clock.now,
  });
  const services: Services = {
    env,
    secret,
    equalTimeMs,
    startedAt: start,
    leaving: new AbortController().signal,
    log,
    load: createLoad(env),
    reporter: createReporter({ log, now: clock.now }),
    metrics: createMetrics(),
    storage: given ?? memory,
    pictures: sharedPictures(),
    reception: createReception(reception),
    ...signInWith(env),
    demoNetwork: demoNetworkIn(env),
    payments,
    pushFetch,
    dns: { txt: async () => [] },
    // A test's own mail server sees each mail first; the letter box keeps what it accepted.
    mailer: mailer
      ? {
          async send(mail, signal) {
            await mailer.send(mail, signal);
            await mails.mailer.send(mail, signal);
          },
          close: mailer.close,
        }
      : mails.mailer,
  };
  const host = { db: data.db, sql: data.sql, services, now: clock.now };
  const job = (name: string, db: Db = data.db): Ctx => jobContext({ ...host, db }, name);
  const { webhooks } = openBot(host);
  const { app, auth } = createApp({
    db: data.db,
    services,
    now: clock.now,
    webhooks,
    ...(pages ? { pages } : {}),
  });

  /**
   * Sends one request as a browser on the market's origin would, and keeps the answer's cookies.
   */
  async function request(
    path: string,
    {
      method,
      json,
      form,
      body,
      as,
      language,
      headers = {},
      address = '10.0.0.1',
      ctx,
    }: RequestOptions = {},
  ): Promise<Response> {
    const sent = new Headers({
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
      ...headers,
    });
    if (language && !sent.has('x-language')) sent.set('x-language', language);
    const cookie = as?.jar.header();
    if (cookie && !sent.has('cookie')) sent.set('cookie', cookie);
    let content = body;
    if (json !== undefined) {
      content = JSON.stringify(json);
      if (!sent.has('content-type')) sent.set('content-type', 'application/json');
    }
    if (form) content = new URLSearchParams(form);
    const chosen = method ?? (content === undefined ? 'GET' : 'POST');
    const response = await app.fetch(
      new Request(new URL(path, env.publicUrl), {
        method: chosen,
        headers: sent,
        redirect: 'manual',
        ...(content === undefined ? {} : { body: content }),
      }),
      { address: isIP(address) ? address : addressNamed(address), ...(ctx ? { ctx } : {}) },
    );
    as?.jar.keep(response.headers);
    return response;
  }

  async function call<T = ErrorBody>(
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<T>> {
    const response = await request(path, options);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text ? JSON.parse(text) : undefined) as T,
    };
  }

  /**
   * Creates a verb's context with the actor of the caller's session.
   * @param overrides for example another pool's `db`, or another `client`
   */
  async function ctx(as?: Caller, overrides: Partial<Ctx> = {}): Promise<Ctx> {
    const { actor } = await actorOf(
      auth,
      data.db,
      new Headers(as ? { cookie: as.jar.header() } : {}),
    );
    return {
      db: data.db,
      actor,
      via: 'web',
      now: clock.now,
      language: 'en',
      requestId: randomUUID(),
      client: {
        visitor: randomUUID(),
        addressHash: 'address',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
      },
      services,
      ...overrides,
    };
  }

  return {
    app,
    auth,
    database: data,
    db: data.db,
    sql: data.sql,
    env,
    clock,
    mails,
    services,
    host,
    storage: memory,
    logged,
    request,
    call,
    ctx,
    job,
    visitor: (): Caller => ({ jar: new Jar() }),
    /**
     * Empties the market and the letter box and resets the clock; people stay unless `accounts` is
     * set.
     */
    async reset(options?: { accounts?: boolean }) {
      await resetMarket(data, options);
      clock.set(start);
      mails.clear();
      mails.refuse();
      memory.failAfter();
      for (const key of [...memory.files.keys()]) await memory.delete([key]);
      services.load = createLoad(env);
      logged.length = 0;
    },
  };
}
