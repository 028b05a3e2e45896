import { readFileSync } from 'node:fs';
import { cloudDelivery, cloudMessage } from '../../tests/support/cloudMessages.ts';
import { telegramUpdate, toTelegram, toWhatsapp } from '../testbed/networks.ts';
import { addressOf } from '../testbed/people.ts';
import { type Answer, type Asking, type Caller, newCaller } from './asking.ts';
import type { Order, Stall } from './order.ts';
import type { openStreams } from './streams.ts';

/** Carriers' addresses that visitors share, some dozens of people each. */
const addresses = 400;
/**
 * Parts of all visitors: French readers, those with a warm cache, those who ask for a seller's
 * number, those who sign in.
 */
const shares = { french: 0.7, returning: 0.3, contact: 0.05, signIn: 0.01 };
/** Stalls the admin pauses and resumes; no visitor asks for their number. */
const adminsStalls = 5;
const said = [
  'market',
  'find solar',
  'show 11',
  'help',
  'marché',
  'price 20000',
  'categories',
  'aide',
  'places',
  'balance',
];

type Tools = {
  order: Order;
  asking: Asking;
  streams: ReturnType<typeof openStreams>;
  dice: () => number;
};

/** People's acts on the market day; each begins at a planned time in ms. */
export function openVisits({ order, asking, streams, dice }: Tools) {
  const { ask, write } = asking;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(dice() * list.length)] as T;
  const uploaded: string[] = [];
  let visits = 0;
  const photo = new Uint8Array(readFileSync(order.photo));
  /** A random pause around so many seconds, in ms. */
  const think = (seconds: number) => seconds * 1000 * order.pace * (0.5 + dice());

  const event = (who: Caller, at: number, type: string, { slotId, productId }: Stall) =>
    write(
      'event',
      'event',
      at,
      who,
      '/api/engagement',
      { json: { type, slotId, productId } },
      ({ body }) => (body.counted ? type : undefined),
    );

  /** Loads photos or files in parallel, as a browser does. */
  const load = (kind: 'file' | 'photo', who: Caller, at: number, paths: readonly string[]) =>
    Promise.all(paths.map((path) => ask(kind, at, who, path)));

  /**
   * Home, its files, a list, a product, and an event stream; some ask for a number or sign in.
   * Settles with the last page, not with the stream.
   */
  async function visit(start: number): Promise<void> {
    const french = dice() < shares.french;
    const returning = dice() < shares.returning;
    const who = newCaller(addressOf(1 + Math.floor(dice() * addresses)), french ? 'fr' : 'en');
    let at = start;
    await ask('home', at, who, french && dice() < 0.5 ? '/fr' : '/');
    if (!returning) await load('file', who, at, order.files);
    if (!returning) await load('photo', who, at + think(0.4), order.cards.slice(0, 8));
    at += think(2);
    await asking.until(at);
    streams.keepStream(who, at, at + order.lineSeconds * 1000);
    await event(who, at, 'view', pick(order.stalls));
    at += think(6);
    if (!returning) await load('photo', who, at, order.cards.slice(8, 14));
    await event(who, at, 'view', pick(order.stalls));
    at += think(8);
    await ask(
      'list',
      at,
      who,
      pick(['/connect', '/fr/connect', '/api/slots', '/api/connect/posts?search=van']),
    );
    at += think(12);
    const stall = pick(order.stalls.slice(0, -adminsStalls));
    await ask('product', at, who, `${french ? '/fr' : ''}${stall.path}`);
    await load('photo', who, at + 200 * order.pace, stall.photos);
    await event(who, at + think(1), 'view', stall);
    const certain = order.everyone && ++visits <= 3;
    if (certain || dice() < shares.contact) await contact(who, at + think(20), stall);
    if (certain || dice() < shares.signIn) await signIn(who, at + think(25));
  }

  const contact = (who: Caller, at: number, { productId }: Stall) =>
    write(
      'contact',
      'contact',
      at,
      who,
      `/api/products/${productId}/contact`,
      { json: { consent: true } },
      () => productId,
    );

  async function signIn(who: Caller, at: number): Promise<void> {
    const { email, password, userId } = pick(order.members);
    const done = await write(
      'sign in',
      'sign in',
      at,
      who,
      '/api/auth/sign-in',
      { json: { email, password } },
      () => userId,
    );
    if (!done) return;
    await ask('own page', at + think(1), who, `/${who.language}/account`);
    await ask('own page', at + think(4), who, `/${who.language}/connect/mine`);
  }

  /** Uploads a seller's photo; promises the upload and a readable file. */
  async function upload(at: number): Promise<void> {
    const who = {
      ...newCaller(addressOf(70_000 + Math.floor(dice() * 1000))),
      cookie: pick(order.sellers),
    };
    const init = { body: photo, headers: { 'content-type': 'image/jpeg' } };
    const done = await write('upload', 'upload', at, who, '/api/uploads', init, ({ body }) =>
      String(body.id),
    );
    const src = (done?.body.image as { src?: string } | undefined)?.src;
    if (src) uploaded.push(src);
  }

  /** Five messages of one person on Telegram or WhatsApp. */
  async function chat(start: number, n: number): Promise<void> {
    const network = newCaller('149.154.167.220');
    let at = start;
    for (let message = 0; message < 5; message++, at += think(10)) {
      const id = `wamid.day-${n}-${message}`;
      const update = telegramUpdate(700_000 + n, pick(said));
      const onTelegram = n % 2 === 0;
      const { path, headers, body } = onTelegram
        ? toTelegram(update)
        : toWhatsapp(
            cloudDelivery([cloudMessage(`2376770${10_000 + n}`, pick(said), { id })]).body,
          );
      await write('message', 'chat', at, network, path, { method: 'POST', headers, body }, () =>
        onTelegram ? String(update.update_id) : 'whatsapp',
      );
    }
  }

  const adminReads = [
    ...['dashboard', 'queue', 'slots', 'users', 'audit', 'analytics'].map(
      (page) => `/admin/${page}`,
    ),
    ...['dashboard', 'queue?queueName=queue:regular', 'slots', 'sellers', 'audit', 'analytics'].map(
      (read) => `/api/admin/${read}`,
    ),
  ];
  /** Opens another admin page every few seconds, and sometimes pauses and resumes a stall. */
  async function admin(from: number, until: number): Promise<void> {
    const who = { ...newCaller('192.0.2.40'), cookie: order.admin };
    const onSlot = (at: number, { slotId, productId }: Stall, act: string) =>
      write(
        'admin',
        'admin act',
        at,
        who,
        `/api/admin/slots/${slotId}/${act}`,
        { json: { productId } },
        ({ requestId }: Answer) => requestId,
      );
    let round = 0;
    for (let at = from; at < until; at += Math.max(1000, think(5))) {
      await ask('admin page', at, who, pick(adminReads));
      if (round++ % 12 !== 1) continue;
      const stall = pick(order.stalls.slice(-adminsStalls));
      await onSlot(at, stall, 'pause');
      await onSlot(at + think(4), stall, 'resume');
    }
  }
  return { visit, upload, chat, admin, uploaded };
}
