import { cloudDelivery, cloudMessage } from '../../tests/support/cloudMessages.ts';
import { jpeg } from '../../tests/support/photos.ts';
import type { Market } from '../attack/market.ts';
import { telegramUpdate, toTelegram, toWhatsapp } from '../attack/networks.ts';
import { addressOf, browser, join, type Person, password, post } from '../attack/people.ts';
import { openStalls, type Stall } from '../attack/requests.ts';
import { openStreams } from '../bench/http.ts';

/** A person's act, whose answer time goes to the tally. */
type Acts = readonly ((who: Person) => Promise<{ status: number }>)[];

/** Answers since the last call. */
export type Tally = { take(): { milliseconds: number[]; failed: number } };

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const phone = { 'user-agent': 'Mozilla/5.0 (Linux; Android 12) Chrome/130 Mobile' };
const paths = [
  '/',
  '/fr',
  '/connect',
  '/fr/connect',
  '/how-it-works',
  '/api/slots',
  '/api/connect/posts',
  '/sitemap.xml',
  '/fr/stalls?ids=11,12,13',
];

const buying = (stalls: readonly Stall[]): Acts => [
  (who) => who.ask(pick(paths)),
  (who) => who.ask(`/shop/slot/${pick(stalls).slot_id}`),
  (who) => who.ask(`/api/slots/${pick(stalls).slot_id}`),
  (who) => who.ask(`/api/connect/posts?search=${pick(['van', 'plombier', 'x', 'douala'])}`),
  (who) => {
    const { slot_id: slotId, product_id: productId } = pick(stalls);
    return who.ask('/api/engagement', {
      json: { slotId, productId, type: pick(['view', 'click', 'share']) },
      headers: phone,
    });
  },
  (who) =>
    who.ask(`/api/products/${pick(stalls).product_id}/contact`, {
      json: { consent: true },
      headers: phone,
    }),
  async (who) => {
    const photo = /\/media\/[^"\s,]+/.exec(JSON.stringify(pick(stalls).product_images))?.[0] ?? '/';
    return who.ask(photo);
  },
];

const memberCount = 8;
let things = 0;
const taking = (url: string, references: string[]): Acts => [
  (who) => who.ask('/api/credits'),
  (who) => who.ask('/api/account'),
  (who) => who.ask('/connect/mine'),
  (who) => who.ask('/fr/account'),
  (who) => who.ask('/api/credits/statement.csv'),
  async (who) => {
    const made = await who.ask<{ reference?: string }>('/api/connect/posts', {
      json: post(`A driver, number ${++things}`),
    });
    if (made.body.reference) references.push(made.body.reference);
    if (references.length > 50) references.shift();
    return made;
  },
  (who) => who.ask(`/api/connect/posts/${pick(references)}/responses`, { method: 'POST' }),
  (who) =>
    who.ask(`/api/connect/posts/${pick(references)}/views`, { method: 'POST', headers: phone }),
  (who) =>
    who.ask('/api/account/name', {
      method: 'PUT',
      json: { name: pick(['Ngo', 'Fotso', 'Kamdem']) },
    }),
  // A session begins and ends in its own browser.
  async ({ address }) => {
    const other = browser({ url }, address);
    await other.ask('/api/auth/sign-in', {
      json: {
        email: `soak.${Math.floor(Math.random() * memberCount)}@attack.example.test`,
        password,
      },
    });
    return other.ask('/api/auth/sign-out', { method: 'POST' });
  },
];

const selling = (photo: Uint8Array<ArrayBuffer>, own: readonly { id: string }[]): Acts => [
  (who) => who.ask('/seller/dashboard'),
  (who) => who.ask('/api/products/mine'),
  (who) => who.ask('/api/drafts'),
  (who) => who.ask(`/api/products/${pick(own).id}/own`),
  (who) =>
    who.ask(`/api/products/${pick(own).id}/${pick(['withdraw', 'relist'])}`, { method: 'POST' }),
  async (who) => {
    const kept = await who.ask<{ id?: string }>('/api/uploads', {
      body: photo,
      headers: { 'content-type': 'image/jpeg' },
    });
    return kept.body.id ? who.ask(`/api/uploads/${kept.body.id}`, { method: 'DELETE' }) : kept;
  },
];

const deciding = (): Acts => [
  ...[
    '/admin/dashboard',
    '/api/admin/dashboard',
    '/api/admin/slots',
    '/api/admin/queue',
    '/api/admin/sellers',
    '/api/admin/audit',
  ].map((path) => (who: Person) => who.ask(path)),
  (who) => who.ask('/api/admin/connect/posts'),
  (who) => who.ask('/api/admin/analytics'),
  (who) => who.ask('/api/admin/jobs/process-queue', { method: 'POST' }),
];

const said = [
  'market',
  'find solar',
  'show 11',
  'help',
  'price 20000',
  'categories',
  'places',
  'aide',
  'marché',
  'balance',
  'post',
  '/lang fr',
  'yes',
  'x',
];
const chatting = (): Acts => [
  async (who) => {
    const { path, headers, body } = toTelegram(
      telegramUpdate(500_000 + Math.floor(Math.random() * 30), pick(said)),
    );
    return who.ask(path, { method: 'POST', headers, body });
  },
  async (who) => {
    const { path, headers, body } = toWhatsapp(
      cloudDelivery([cloudMessage(`23769900${1000 + Math.floor(Math.random() * 30)}`, pick(said))])
        .body,
    );
    return who.ask(path, { method: 'POST', headers, body });
  },
];

/** Buyers, members, a seller, an admin and chats, each at their own pace, until stopped. */
export async function openCrowd(market: Market): Promise<Tally & { stop(): Promise<void> }> {
  const stalls = await openStalls(market.url);
  const members: Person[] = [];
  for (let n = 0; n < memberCount; n++)
    members.push(await join(market, `soak.${n}`, addressOf(60_000 + n), 1000));
  const references: string[] = [];
  for (const [n, member] of members.entries())
    references.push(
      (await member.ask<{ reference: string }>('/api/connect/posts', { json: post(`Post ${n}`) }))
        .body.reference,
    );
  const as = (cookie: string, address: string): Person => {
    const person = browser(market, address);
    return {
      ...person,
      ask: (path, init = {}) => person.ask(path, { ...init, headers: { cookie, ...init.headers } }),
    };
  };
  const seller = as(market.seller, '192.0.2.31');
  const { products } = (await seller.ask<{ products: { id: string }[] }>('/api/products/mine'))
    .body;
  const photo = new Uint8Array(await jpeg(60));
  market.releaseMail();

  let milliseconds: number[] = [];
  let failed = 0;
  let going = true;
  async function live(acts: Acts, pauseMs: number, who: () => Person): Promise<void> {
    while (going) {
      await Bun.sleep(pauseMs * (0.5 + Math.random()));
      const started = performance.now();
      const status = await pick(acts)(who()).then(
        (answer) => answer.status,
        () => 0,
      );
      milliseconds.push(performance.now() - started);
      if (status === 0 || status >= 500) failed++;
    }
  }
  let newcomers = 0;
  const buyer = () => {
    // Each buyer looks at a few things, then another one comes.
    let who = browser(market, addressOf(70_000));
    let looks = 0;
    return () => {
      if (looks++ % 30 === 0) who = browser(market, addressOf(70_000 + (newcomers++ % 60_000)));
      return who;
    };
  };
  /** Keeps pages open; some close and open again all the time. */
  async function linger(): Promise<void> {
    while (going) {
      const open = await openStreams(market.port, 50);
      for (let second = 0; going && second < 20; second++) await Bun.sleep(1000);
      open.close();
    }
  }
  const alive = [
    ...Array.from({ length: 20 }, () => live(buying(stalls), 2000, buyer())),
    ...members.map((member) => live(taking(market.url, references), 2500, () => member)),
    ...Array.from({ length: 2 }, () => live(selling(photo, products), 2000, () => seller)),
    live(deciding(), 1500, () => as(market.admin, '192.0.2.32')),
    ...Array.from({ length: 3 }, () => live(chatting(), 1500, () => browser(market, '192.0.2.33'))),
    linger(),
    linger(),
  ];
  return {
    take() {
      const taken = { milliseconds, failed };
      milliseconds = [];
      failed = 0;
      return taken;
    },
    async stop() {
      going = false;
      await Promise.all(alive);
    },
  };
}
