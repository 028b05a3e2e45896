import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import type { OpenApi } from '../../api/docs/openapi.ts';
import { ownVersion } from '../../api/legal/version.ts';
import type { Target } from '../../db/client.ts';
import { jpeg } from '../../tests/support/photos.ts';
import { freePort } from '../../tests/support/processes.ts';
import { openNetworks, telegramUpdate, toTelegram } from '../testbed/networks.ts';
import {
  ask,
  mailboxOf,
  must,
  newcomer,
  openPeople,
  password,
  type Request,
  signIn,
} from '../testbed/people.ts';
import { undone } from '../testbed/program.ts';
import { openRun, openServer, testbedEnv, urlOf } from '../testbed/server.ts';
import { answerJudge } from './answers.ts';
import { mark, metricsToken, origin, type Who } from './input.ts';

/** Ids and slugs that exist in the database now. */
export type Pools = Record<
  | 'posts'
  | 'purchases'
  | 'products'
  | 'photos'
  | 'sellers'
  | 'slugs'
  | 'shops'
  | 'exports'
  | 'sessions'
  | 'chats'
  | 'drafts'
  | 'users'
  | 'members',
  string[]
>;
/** A separate server with people and products, and its error output. */
export type Testbed = {
  port: number;
  pid(): number;
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

/** Texts that people write and pages, mails and chats show to others. */
const shownTexts: Readonly<Record<string, readonly string[]>> = {
  products: ['business_name', 'seller_name', 'seller_location', 'city', 'region'],
  sellers: ['name', 'location', 'business_name'],
  '"user"': ['name'],
  connect_posts: ['title', 'description', 'location', 'city', 'region'],
};

/**
 * Ends every such text with a script that must never run, bypassing schemas and cleaning: escaping
 * on output must not depend on them.
 */
async function plant(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    // Disables the triggers that guard histories, as a database owner can.
    await tx`set local session_replication_role = replica`;
    for (const [table, columns] of Object.entries(shownTexts))
      for (const column of columns)
        await tx.unsafe(`update ${table} set ${column} = ${column} || $1`, [mark]);
    await tx`update products set name = jsonb_build_object('en', (name->>'en') || ${mark}::text),
      description = jsonb_build_object('en', (description->>'en') || ${mark}::text)`;
  });
}

/** Starts the server on a migrated, empty database and fills the market through its API. */
export async function openTestbed(target: Target): Promise<Testbed> {
  const undo: (() => unknown)[] = [];
  try {
    return await fillMarket(target, undo);
  } catch (error) {
    await undone(undo);
    throw error;
  }
}

async function fillMarket(target: Target, undo: (() => unknown)[]): Promise<Testbed> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-fuzz-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'demo-admin-password'), password);
  const port = await freePort();
  const home = `http://127.0.0.1:${port}`;
  const url = urlOf(target);
  const sql = await openRun(url);
  undo.push(() => sql.end({ timeout: 2 }));
  const networks = openNetworks();
  undo.push(() => networks.stop());
  const server = openServer({
    ...testbedEnv(url, port, folder),
    ...networks.env,
    METRICS_TOKEN: metricsToken,
    PUBLIC_URL: origin,
    LOG_LEVEL: 'error',
  });
  undo.push(() => server.kill());
  const people = await openPeople(sql, () => home, await server.ready(), origin);
  const as = {
    visitor: newcomer(undefined, origin),
    admin: people.admin,
    seller: await people.signUp('seller'),
    member: await people.signUp('member', false),
  };
  for (const n of [1, 2, 3]) await people.signUp(`other${n}`);
  const call = async <T>(who: Who, path: string, request?: Request) =>
    (await must(ask<T>(home, as[who], path, request))).body;

  const sellerMail = mailboxOf('seller');
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
  async function signInAgain(): Promise<void> {
    await mendAccounts();
    // Rate limits must not lock out the accounts that test.
    await sql`delete from rate_limit`;
    await sql`update sellers set suspended = false, suspended_reason = null, suspended_at = null
      where user_id = ${as.seller.userId}`;
    for (const who of ['admin', 'seller', 'member'] as const) {
      const [row] = await sql<
        { email: string }[]
      >`select email from "user" where id = ${as[who].userId}`;
      const again = () => signIn(home, who, { email: String(row?.email), password }, as[who]);
      // A change of the password that was under way may have come after the mending.
      await again().catch(() => mendAccounts().then(again));
    }
  }

  const photo = await jpeg(60);
  const upload = async () =>
    (await call<{ id: string }>('seller', '/api/uploads', { bytes: new Uint8Array(photo) })).id;
  async function product(): Promise<string> {
    const json = {
      ...{ category: 'electronics', price: 65_000, durationHours: 72, paymentMethod: 'mtn_momo' },
      images: [await upload()],
      name: { en: 'Samsung Galaxy A14' },
      description: { en: 'Bought in March, with box and charger.' },
      ...{ sellerName: 'Ngo Biyong', sellerWhatsapp: '+237699001234', sellerLocation: 'Douala' },
    };
    return (await call<{ id: string }>('seller', '/api/products', { json })).id;
  }

  /** Gives credits and posts to each caller, so that they can answer each other's. */
  async function fillConnect(): Promise<void> {
    for (const who of ['seller', 'member', 'admin'] as const) {
      const correction = { userId: as[who].userId, amount: 2000, reason: 'For the board' };
      const path = '/api/admin/credits/corrections';
      await call('admin', path, { json: correction, key: `credits of ${who}` });
      const post = {
        title: `A driver for ${who}`,
        description: 'On Saturday, with a van.',
        category: 'transportation',
        contactWhatsapp: '+237699001234',
      };
      for (const n of [1, 2, 3, 4])
        await call(who, '/api/connect/posts', { json: post, key: `post ${n} of ${who}` });
      const json = { method: 'cash_partner' };
      await call(who, '/api/credits/purchases', { json, key: `purchase of ${who}` });
    }
  }

  /** Links chats of the seller and the member by a code and a yes, as people do. */
  async function linkChats(): Promise<void> {
    for (const [chat, who] of (['seller', 'member', 'seller'] as const).entries()) {
      const { code } = await call<{ code: string }>(who, '/api/chats/code', { method: 'POST' });
      for (const said of ['/lang en', `link ${code}`, 'yes']) {
        const { path, ...init } = toTelegram(telegramUpdate(chat + 1, said));
        const answered = networks.sent();
        await fetch(`${home}${path}`, { method: 'POST', ...init });
        await answered;
      }
    }
  }

  async function fill(): Promise<void> {
    const shop = { name: 'Ngo Biyong', businessName: 'Chez Ngo' };
    await call('seller', '/api/auth/profile', { method: 'PUT', json: shop });
    const products: string[] = [];
    for (let n = 0; n < 15; n++) products.push(await product());
    const approve = async (ids: readonly string[]) => {
      for (const id of ids)
        await call('admin', `/api/admin/products/${id}/approve`, { method: 'POST' });
    };
    await approve(products.slice(0, 6));
    await call('admin', '/api/admin/jobs/process-queue', { method: 'POST' });
    await fillConnect();
    await linkChats();
    await approve(products.slice(6, 10));
    await plant(sql);
  }

  async function refresh(): Promise<Pools> {
    await mendAccounts();
    const roles = await Promise.all(
      (['member', 'seller', 'admin'] as const).map(
        async (who) => (await call<{ role: string }>(who, '/api/auth/me')).role === who,
      ),
    );
    if (roles.includes(false)) await signInAgain();
    const photos = await sql<
      { id: string }[]
    >`select id from uploads where product_id is null and owner_id = ${as.seller.userId}`;
    while (photos.length < 12) photos.push({ id: await upload() });
    const texts = async (rows: PromiseLike<readonly { id: string }[]>) =>
      (await rows).map(({ id }) => id);
    const products = await sql<
      { id: string; slug: string }[]
    >`select id, slug from products order by created_at desc limit 40`;
    const others = sql`select id from "user" where email <> ${sellerMail}`;
    return {
      products: products.map(({ id }) => id),
      slugs: products.map(({ slug }) => slug),
      shops: await texts(sql`select slug as id from shop_slugs where left_at is null limit 20`),
      photos: photos.map(({ id }) => id),
      sellers: await texts(sql`select id from sellers where user_id in (${others}) limit 20`),
      posts: await texts(
        sql`select reference as id from connect_posts order by created_at desc limit 40`,
      ),
      purchases: await texts(sql`select id from purchases order by created_at desc limit 20`),
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

  await fill();
  const document = await call<OpenApi>('visitor', '/api/openapi.json');
  return {
    port,
    pid: server.pid,
    document,
    typed: answerJudge(document),
    photo,
    cookie: (who) => as[who].jar.header(),
    refresh,
    ended: server.ended,
    unanswered: () =>
      server.log
        .filter((line) => /"(?:A message in a chat|What (?:came in|became))/.test(line))
        .slice(0, 3),
    logged: (requestId) => server.log.find((line) => line.includes(requestId)),
    sql,
    stop: () => undone(undo),
  };
}
