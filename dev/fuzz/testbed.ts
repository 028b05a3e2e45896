import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Sql } from 'postgres';
import type { OpenApi } from '../../api/docs/openapi.ts';
import { ownVersion } from '../../api/legal/version.ts';
import type { Target } from '../../db/client.ts';
import { Jar } from '../../tests/support/jar.ts';
import { tokenInRow } from '../../tests/support/mailedToken.ts';
import { jpeg } from '../../tests/support/photos.ts';
import { telegramUpdate, toTelegram } from '../attack/networks.ts';
import { answerJudge } from './answers.ts';
import type { Ready, Start } from './child.ts';
import { fuzzTokens } from './tokens.ts';

/** Ids and slugs that exist in the database now. */
export type Pools = Record<
  | 'posts'
  | 'purchases'
  | 'products'
  | 'photos'
  | 'sellers'
  | 'slugs'
  | 'exports'
  | 'sessions'
  | 'chats'
  | 'drafts'
  | 'users'
  | 'members',
  string[]
>;
export const whoever = ['visitor', 'member', 'seller', 'admin'] as const;
export type Who = (typeof whoever)[number];
/** A separate server with people and products, and its error output. */
export type Testbed = {
  port: number;
  pid: number;
  document: OpenApi;
  /** Judges an operation's answer by its type. */
  typed: ReturnType<typeof answerJudge>;
  photo: Buffer;
  cookie(who: Who): string;
  /** Reads the pools again and restores the accounts: an admin may have suspended the seller. */
  refresh(): Promise<Pools>;
  /** The server's exit code; undefined while it runs. */
  ended(): number | undefined;
  /** The server's log lines about a request. */
  logged(requestId: string): string | undefined;
  /** Failures logged by the bot, whose answers no HTTP request awaits. */
  unanswered(): string[];
  sql: Sql;
  stop(): Promise<void>;
};

const password = 'a good password';
const people = {
  admin: 'admin@fuzz.example.test',
  seller: 'seller@fuzz.example.test',
  member: 'member@fuzz.example.test',
};
const home = 'http://market.test';

/** Starts the server on a migrated, empty database and fills the market through its API. */
export async function openTestbed(target: Target, sql: Sql): Promise<Testbed> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-fuzz-'));
  const start: Start = { target, folder, admin: { email: people.admin, name: 'Admin', password } };
  const child = spawn(
    process.execPath,
    ['--no-env-file', new URL('./child.ts', import.meta.url).pathname],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.push(line);
    if (log.length > 2000) log.shift();
  });
  let code: number | undefined;
  const gone = new Promise<void>((resolve) =>
    child.once('exit', (status) => {
      code = status ?? -1;
      resolve();
    }),
  );
  const stop = async () => {
    child.stdin.end();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) =>
      resolve((JSON.parse(line) as Ready).port),
    );
    child.once('exit', () =>
      reject(new Error(`The server could not start:\n${log.slice(-20).join('\n')}`)),
    );
    child.stdin.write(`${JSON.stringify(start)}\n`);
  });

  const jars = {
    visitor: new Jar(),
    member: new Jar(),
    seller: new Jar(),
    admin: new Jar(),
    newcomer: new Jar(),
  };
  let asked = 0;
  async function call<T>(
    who: keyof typeof jars,
    path: string,
    init: { method?: string; json?: unknown; body?: BodyInit; key?: string } = {},
  ): Promise<T> {
    // A new address each time: this is not about limits by address.
    const headers = new Headers({
      'x-forwarded-for': `192.0.2.${asked++ % 250}`,
      cookie: jars[who].header(),
      origin: home,
    });
    if (init.json !== undefined) headers.set('content-type', 'application/json');
    if (init.key !== undefined) headers.set('idempotency-key', init.key);
    const body = init.json === undefined ? init.body : JSON.stringify(init.json);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: init.method ?? (body ? 'POST' : 'GET'),
      headers,
      ...(body ? { body } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    jars[who].keep(response.headers);
    return JSON.parse(text) as T;
  }

  const signUp = async (email: string, name: string, selling = true) => {
    const profile = {
      selling,
      name,
      whatsapp: `+2376990${String(10_000 + (asked % 80_000))}`,
      location: 'Douala, Littoral',
    };
    await call('newcomer', '/api/auth/sign-up', {
      json: { email, password, agreed: ownVersion.id, ...profile },
    });
    const token = await tokenInRow(sql, email, fuzzTokens.market);
    await call('newcomer', '/api/auth/verify-email', { json: { token, password } });
  };
  let hash = '';
  /** Undoes what people may do to accounts: changing the password, leaving, and new terms. */
  async function mendAccounts(): Promise<void> {
    const [first] = await sql<
      { password: string }[]
    >`select password from account where password is not null limit 1`;
    hash ||= first?.password ?? '';
    await sql`update account set password = ${hash} where password <> ${hash}`;
    await sql`update "user" set leaving_at = null where leaving_at is not null`;
    await sql`delete from legal_texts`;
    await sql`update "user" set agreed_to = ${ownVersion.id}, agreed_at = now()`;
    await sql`update sellers set leaving_at = null where leaving_at is not null`;
    await sql`update connect_posts set status = 'active', left_at = null where left_at is not null`;
  }
  async function signIn(): Promise<void> {
    await mendAccounts();
    // Rate limits must not lock out the accounts that test.
    await sql`delete from rate_limit`;
    await sql`update sellers set suspended = false, suspended_reason = null, suspended_at = null
      where user_id = (select id from "user" where email = ${people.seller})`;
    await call('admin', '/api/auth/admin/sign-in', { json: { email: people.admin, password } });
    for (const who of ['seller', 'member'] as const)
      await call(who, '/api/auth/sign-in', { json: { email: people[who], password } });
  }

  const photo = await jpeg(60);
  const upload = async () =>
    (await call<{ id: string }>('seller', '/api/uploads', { body: new Uint8Array(photo) })).id;
  async function product(): Promise<string> {
    const draft = {
      category: 'electronics',
      price: 65_000,
      durationHours: 72,
      paymentMethod: 'mtn_momo',
      images: [await upload()],
    };
    const words = {
      name: { en: 'Samsung Galaxy A14' },
      description: { en: 'Bought in March, with box and charger.' },
    };
    const seller = {
      sellerName: 'Ngo Biyong',
      sellerWhatsapp: '+237699001234',
      sellerLocation: 'Douala, Littoral',
    };
    return (
      await call<{ id: string }>('seller', '/api/products', {
        json: { ...draft, ...words, ...seller },
      })
    ).id;
  }

  /** Gives credits and posts to each caller, so that they can answer each other's. */
  async function fillConnect(): Promise<void> {
    for (const who of ['seller', 'member', 'admin'] as const) {
      const [person] = await sql<
        { id: string }[]
      >`select id from "user" where email = ${people[who]}`;
      const correction = { userId: person?.id, amount: 2000, reason: 'For the board' };
      await call('admin', '/api/admin/credits/corrections', {
        json: correction,
        key: `credits of ${who}`,
      });
      for (const n of [1, 2, 3, 4]) {
        const post = {
          title: `A driver for ${who}`,
          description: 'On Saturday, with a van.',
          category: 'transportation',
          contactWhatsapp: '+237699001234',
        };
        await call(who, '/api/connect/posts', { json: post, key: `post ${n} of ${who}` });
      }
      await call(who, '/api/credits/purchases', {
        json: { method: 'cash_partner' },
        key: `purchase of ${who}`,
      });
    }
  }

  /** Links chats of the seller and the member by a code, as people do. */
  async function linkChats(): Promise<void> {
    for (const [chat, who] of ['seller', 'member', 'seller'].entries()) {
      const { code } = await call<{ code: string }>(who as Who, '/api/chats/code', {
        method: 'POST',
      });
      for (const said of ['/lang en', `link ${code}`]) {
        const { path, headers, body } = toTelegram(
          telegramUpdate(chat + 1, said),
          fuzzTokens.telegram,
        );
        await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
      }
    }
  }

  async function fill(): Promise<void> {
    await signUp(people.seller, 'Ngo Biyong');
    await signUp(people.member, 'Fotso', false);
    for (const n of [1, 2, 3]) await signUp(`other${n}@fuzz.example.test`, `Fotso ${n}`);
    await signIn();
    const products: string[] = [];
    for (let n = 0; n < 15; n++) products.push(await product());
    for (const id of products.slice(0, 6))
      await call('admin', `/api/admin/products/${id}/approve`, { method: 'POST' });
    await call('admin', '/api/admin/jobs/process-queue', { method: 'POST' });
    await fillConnect();
    await linkChats();
    for (const id of products.slice(6, 10))
      await call('admin', `/api/admin/products/${id}/approve`, { method: 'POST' });
  }

  async function refresh(): Promise<Pools> {
    await mendAccounts();
    const me = (who: Who) => call<{ role: string }>(who, '/api/auth/me');
    const roles = await Promise.all(
      (['member', 'seller', 'admin'] as const).map(async (who) => (await me(who)).role === who),
    );
    if (roles.includes(false)) await signIn();
    const photos = await sql<
      { id: string }[]
    >`select id from uploads where product_id is null and owner_id = (select id from "user" where email = ${people.seller})`;
    while (photos.length < 12) photos.push({ id: await upload() });
    const texts = async (rows: PromiseLike<readonly { id: string }[]>) =>
      (await rows).map(({ id }) => id);
    const products = await sql<
      { id: string; slug: string }[]
    >`select id, slug from products order by created_at desc limit 40`;
    const others = sql`select id from "user" where email <> ${people.seller}`;
    return {
      products: products.map(({ id }) => id),
      slugs: products.map(({ slug }) => slug),
      photos: photos.map(({ id }) => id),
      sellers: await texts(sql`select id from sellers where user_id in (${others}) limit 20`),
      posts: await texts(
        sql`select reference as id from connect_posts order by created_at desc limit 40`,
      ),
      purchases: await texts(
        sql`select id from credit_purchases order by created_at desc limit 20`,
      ),
      exports: await texts(
        sql`select id from data_exports where begun_at is null order by asked_at desc limit 20`,
      ),
      // The newest sessions are the ones in use here.
      sessions: await texts(
        sql`select id from (select id, row_number() over (partition by user_id order by created_at desc) as n from session) as s where n > 1 limit 20`,
      ),
      chats: await texts(sql`select id from chats where user_id is not null limit 20`),
      drafts: await texts(sql`select key as id from product_drafts limit 20`),
      users: await texts(sql`select id from "user" limit 20`),
      members: await texts(sql`select number::text as id from credit_accounts limit 20`),
    };
  }

  try {
    await fill();
    const document = await call<OpenApi>('visitor', '/api/openapi.json');
    return {
      port,
      pid: child.pid ?? 0,
      document,
      typed: answerJudge(document),
      photo,
      cookie: (who) => jars[who].header(),
      refresh,
      ended: () => code,
      unanswered: () =>
        log
          .filter((line) => /"(?:A message in a chat|What (?:came in|became))/.test(line))
          .slice(0, 3),
      logged: (requestId) => log.find((line) => line.includes(requestId)),
      sql,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
