import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Params } from '../../locales/keys.ts';
import type { Bilingual, Language } from '../../locales/languages.ts';
import { type Ctx, inChat, type Tx } from '../core/context.ts';
import { type MailKind, type Message, writeMessages } from '../outbox/outbox.ts';
import { typed } from '../shared/commands.ts';
import { browsersKey, type ForBrowsers, sealForBrowsers, subscribedAccounts } from './browsers.ts';
import { hasChat, sealFor } from './chats.ts';
import { hasRoomInChat, type Ways, withRoomToday } from './daily.ts';
import { mailbox } from './mailbox.ts';
import { isOptional, notifications, type ParamsOf } from './notifications.ts';
import { switchedOff } from './switches.ts';
import { isOpenTo } from './window.ts';

/**
 * An account, a seller (an imported one has no account), a chat without an account, or a mailbox.
 * `language` overrides the person's; `userId` names the account that the mailbox was or may become.
 */
export type Addressee =
  | ({ userId: string; language?: Language } | { sellerId: string; language?: Language })
  | { chatId: string }
  | { email: string; language: Language; userId?: string };
export type ToldProduct = { id: string; slug: string; name: Bilingual | null };
/** Tapping the button sends `say`. */
type NoticeButton = { label: string; say: string };

type Person = {
  userId: string | null;
  name: string;
  email: string | null;
  language: Language;
  /** A chat without an account, the only way to this person. */
  chat?: Channel;
};
/** A function, if names, money or times depend on the reader's language. */
type Told<K extends MailKind> = ParamsOf<K> | ((language: Language) => ParamsOf<K>);

/**
 * Notifies a person by mail and in linked chats, or one of their ways for a counted kind, unless
 * they switched the kind off. The text is in `mail.json` (decision 032).
 * @param path link of the message, without the language: `seller/dashboard`
 * @param about id that the buttons below a message in a chat carry
 * @param more a photo, and the address that ends such mails by one click (RFC 8058)
 * @returns ids of the outbox messages; empty if none is sent
 */
export async function notify<K extends MailKind>(
  tx: Tx,
  to: Addressee,
  kind: K,
  params: Told<K>,
  path?: string,
  about?: string,
  more?: More,
): Promise<string[]> {
  const person = await personOf(tx, to);
  if (!person) return [];
  return write(tx, kind, [
    {
      ...{ person, params: typeof params === 'function' ? params(person.language) : params, path },
      ...(about === undefined ? {} : { about }),
      ...(more === undefined ? {} : { more }),
    },
  ]);
}

/** Notifies the seller of each product; products without a seller are skipped. */
export async function notifySellersOf<K extends MailKind>(
  tx: Tx,
  productIds: readonly string[],
  kind: K,
  params: (product: ToldProduct, language: Language) => ParamsOf<K>,
  path?: string | ((product: ToldProduct) => string),
): Promise<string[]> {
  if (productIds.length === 0) return [];
  const { products, sellers, user } = schema;
  const rows = await tx.db
    .select({
      person: sellerColumns,
      product: { id: products.id, slug: products.slug, name: products.name },
    })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .leftJoin(user, eq(user.id, sellers.userId))
    .where(inArray(products.id, [...productIds]));
  const messages = rows.map(({ person: { language, ...seller }, product }) => {
    const person = { ...seller, language: language ?? 'en' };
    return {
      person,
      params: params(product, person.language),
      path: typeof path === 'function' ? path(product) : path,
      about: product.id,
    };
  });
  return write(tx, kind, messages);
}

/** Profile's name and address, account's language. */
const sellerColumns = {
  userId: schema.sellers.userId,
  name: schema.sellers.name,
  email: schema.sellers.email,
  language: schema.user.language,
};

async function personOf(tx: Tx, to: Addressee): Promise<Person | undefined> {
  const { db } = tx;
  const { sellers, user } = schema;
  if ('email' in to) return { userId: null, name: '', ...to };
  if ('chatId' in to) return strangerIn(tx, to.chatId);
  if ('sellerId' in to) {
    const [seller] = await db
      .select(sellerColumns)
      .from(sellers)
      .leftJoin(user, eq(user.id, sellers.userId))
      .where(eq(sellers.id, to.sellerId));
    return seller && { ...seller, language: to.language ?? seller.language ?? 'en' };
  }
  const [account] = await db
    .select({ userId: user.id, name: user.name, email: mailbox, language: user.language })
    .from(user)
    .where(eq(user.id, to.userId));
  return account && { ...account, language: to.language ?? account.language };
}

type Channel = Pick<Message, 'channel' | 'recipient' | 'held'>;

/** Undefined for a chat that may or can not be told now, or has been told enough today. Locks it. */
async function strangerIn(tx: Tx, chatId: string): Promise<Person | undefined> {
  const { chats: c } = schema;
  const [chat] = await tx.db
    .select({
      channel: c.transport,
      recipient: c.keyHash,
      language: c.language,
      wroteAt: c.wroteAt,
    })
    .from(c)
    .where(
      and(
        eq(c.id, chatId),
        isNull(c.userId),
        inArray(c.transport, tx.services.env.networks),
        isNull(c.blockedAt),
        isNull(c.stoppedAt),
      ),
    )
    .for('no key update');
  if (!chat || !(await hasRoomInChat(tx, chat.recipient))) return undefined;
  const { language, wroteAt, ...way } = chat;
  if (!isOpenTo(tx.services.env, { transport: way.channel, wroteAt }, tx.now())) return undefined;
  return { userId: null, name: '', email: null, language: language ?? 'en', chat: way };
}

const channelsOf = (
  { email, userId, chat }: Person,
  kind: MailKind,
  chats: ReadonlyMap<string, Channel[]>,
  ways: Ways | undefined,
  browsers: readonly Channel[],
): Channel[] => {
  if (chat) return [chat];
  const mail =
    email === null || 'chatsAlone' in notifications[kind]
      ? []
      : [{ channel: 'email' as const, recipient: email }];
  const ofChats = chats.get(userId ?? '') ?? [];
  if (!('counted' in notifications[kind])) return [...mail, ...ofChats];
  // The chosen one, then the chat written in last before mail; what failed lately comes last.
  const rank = ({ channel }: Channel) =>
    (ways?.failing.has(channel) ? 2 : 0) + (ways?.chosen && ways.chosen !== channel ? 1 : 0);
  return [...ofChats, ...browsers, ...mail]
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, 1);
};

/**
 * Linked chats for a notification, by account. Optional and `chatsToo` kinds go there; the rest is
 * about mail, so only people without a mailbox get it. A stopped chat gets nothing: for a person
 * without a mailbox and another chat it is held (decision 047).
 */
async function chatsOf(
  ctx: Ctx,
  kind: MailKind,
  people: readonly Person[],
): Promise<ReadonlyMap<string, Channel[]>> {
  const { db, services } = ctx;
  const told = new Map<string, Channel[]>();
  const mailless = people
    .filter(({ email }) => email === null)
    .flatMap(({ userId }) => userId ?? []);
  const everybody = isOptional(kind) || 'chatsToo' in notifications[kind];
  const userIds = everybody
    ? people.flatMap(({ userId }) => userId ?? [])
    : notifications[kind].reach === 'always'
      ? mailless
      : [];
  if (userIds.length === 0 || !hasChat(services.env)) return told;
  const { chats: c } = schema;
  const wanted = isOptional(kind) ? eq(c.notices, true) : undefined;
  const answered = inChat(ctx) && 'answered' in notifications[kind];
  const rows = await db
    .select({
      userId: c.userId,
      channel: c.transport,
      recipient: c.keyHash,
      stoppedAt: c.stoppedAt,
    })
    .from(c)
    .where(
      and(
        inArray(c.userId, userIds),
        inArray(c.transport, services.env.networks),
        wanted,
        answered ? ne(c.keyHash, ctx.client.addressHash) : undefined,
        isNull(c.blockedAt),
        isNull(c.closedAt),
      ),
    )
    .orderBy(sql`${c.wroteAt} desc nulls last`);
  for (const { userId, stoppedAt, ...channel } of rows)
    if (userId !== null && stoppedAt === null)
      told.set(userId, [...(told.get(userId) ?? []), channel]);
  for (const { userId, stoppedAt, ...channel } of rows)
    if (userId !== null && stoppedAt !== null && mailless.includes(userId) && !told.has(userId))
      told.set(userId, [{ ...channel, held: true }]);
  return told;
}

/**
 * Buttons of a notification. A one-tap command carries its "yes"; the id keeps a late tap on that
 * product or chat and serves only its owner.
 */
function buttonsOf(kind: MailKind, language: Language, about: string | undefined): NoticeButton[] {
  const rule = notifications[kind];
  const label = translator(language, 'bot');
  return ('offers' in rule ? rule.offers : []).map((offer) => {
    const yes = offer === 'relist' || offer === 'sold' ? [typed(language, 'yes')] : [];
    return {
      label: label(`button.${offer}`),
      say: typed(language, offer, ...(about ? [about.replaceAll('-', ''), ...yes] : [])),
    };
  });
}

/** Button of a browser's notification. */
function endingOf(language: Language, path: string): NonNullable<ForBrowsers['end']> {
  const t = translator(language, 'alerts');
  return { label: t('stop.action'), path, done: t('stop.done') };
}

/** Sealed for their chat, like a reply's buttons, or for their browsers. */
function shown(
  { services }: Ctx,
  { channel, recipient }: Channel,
  buttons: NoticeButton[],
  picture: string | undefined,
  browser: ForBrowsers,
): { sealed?: string } {
  const { secret } = services;
  if (channel === 'push') return { sealed: sealForBrowsers(secret, recipient, browser) };
  if (channel === 'email' || (buttons.length === 0 && picture === undefined)) return {};
  const text = JSON.stringify({
    ...(buttons.length > 0 && { buttons: [buttons] }),
    ...(picture !== undefined && { picture }),
  });
  return { sealed: sealFor(secret, { transport: channel, keyHash: recipient }, text) };
}

/**
 * `picture` is a photo's path on this site, `unsubscribe` the path that ends such messages. After
 * `until` a browser need not show it any more; a day by default.
 */
type More = { picture?: string; unsubscribe?: string; until?: Date };
type Draft = {
  person: Person;
  params: Params;
  path: string | undefined;
  about?: string;
  more?: More;
};

async function write(tx: Tx, kind: MailKind, drafts: readonly Draft[]): Promise<string[]> {
  const userIds = drafts.flatMap(({ person }) => person.userId ?? []);
  const off = await switchedOff(tx, kind, userIds);
  const room = 'counted' in notifications[kind] ? await withRoomToday(tx, userIds) : undefined;
  const chats = await chatsOf(
    tx,
    kind,
    drafts.map(({ person }) => person),
  );
  const { publicUrl } = tx.services.env;
  const tomorrow = new Date(tx.now().getTime() + 86_400_000);
  const browsers = room ? await subscribedAccounts(tx, userIds) : new Set();
  const browsersOf = ({ userId }: Person): Channel[] =>
    userId !== null && browsers.has(userId)
      ? [{ channel: 'push', recipient: browsersKey(tx.services.secret, userId) }]
      : [];
  return writeMessages(
    tx,
    drafts
      .filter(
        ({ person: { userId } }) =>
          userId === null || (!off.has(userId) && (room === undefined || room.has(userId))),
      )
      .flatMap(
        ({ person, params, path, about, more: { picture, unsubscribe, until = tomorrow } = {} }) =>
          channelsOf(person, kind, chats, room?.get(person.userId ?? ''), browsersOf(person)).map(
            (channel) => {
              const { userId, name, language } = person;
              const buttons = buttonsOf(kind, language, about);
              const link = path === undefined ? {} : { link: `${publicUrl}/${language}/${path}` };
              const end = unsubscribe === undefined ? {} : { end: endingOf(language, unsubscribe) };
              const browser = {
                path: `/${language}/${path ?? ''}`,
                until: until.toISOString(),
                ...end,
              };
              return {
                ...channel,
                ...shown(tx, channel, buttons, picture?.replace(/^\/media\//, ''), browser),
                userId,
                name,
                language,
                kind,
                params,
                ...link,
                ...(picture && { picture: publicUrl + picture }),
                ...(unsubscribe === undefined ? {} : { unsubscribe: publicUrl + unsubscribe }),
              };
            },
          ),
      ),
  );
}
