import { and, eq, inArray, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Params } from '../../locales/keys.ts';
import type { Bilingual, Language } from '../../locales/languages.ts';
import { typed } from '../core/commands.ts';
import type { Ctx } from '../core/context.ts';
import { type MailKind, type Message, writeMessages } from '../core/outbox.ts';
import { hasChat, sealFor } from './chats.ts';
import { isOptional, letters, type ParamsOf } from './letters.ts';
import { mailbox } from './mailbox.ts';
import { switchedOff } from './switches.ts';

/**
 * Whom to tell: an account; a seller, who may be an imported one without; or, before there is an account, a mailbox. In the person's language,
 * unless it is known better here. A mailbox that was or may become an account's is named with that account's id.
 */
export type Addressee =
  | ({ userId: string; language?: Language } | { sellerId: string; language?: Language })
  | { email: string; language: Language; userId?: string };
/** A product that sellers are told about. */
export type ToldProduct = { id: string; slug: string; name: Bilingual | null };
/** A button below a notice in a chat: it says what its label promises. */
type NoticeButton = { label: string; say: string };

type Person = { userId: string | null; name: string; email: string | null; language: Language };
/** What a message is told, where that depends on the reader's language: names, money, times. */
type Told<K extends MailKind> = ParamsOf<K> | ((language: Language) => ParamsOf<K>);

/**
 * Tells a person something, in the transaction in which it happens: in their language, through each of their channels, unless they have switched
 * this kind off (api/people/letters.ts). The sentences are the kind's group of `mail.json` (decision 032).
 * @param path where the message leads, after the language: `seller/dashboard`
 * @returns the ids of the messages in the outbox; none when nobody is told
 */
export async function notify<K extends MailKind>(
  tx: Ctx,
  to: Addressee,
  kind: K,
  params: Told<K>,
  path?: string,
): Promise<string[]> {
  const person = await personOf(tx, to);
  if (!person) return [];
  return write(tx, kind, [
    { person, params: typeof params === 'function' ? params(person.language) : params, path },
  ]);
}

/** Tells the seller of each product about it, as {@link notify} does. Products without a seller tell nobody. */
export async function notifySellersOf<K extends MailKind>(
  tx: Ctx,
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

/** A seller is greeted by the profile's name at the profile's address, in the account's language. */
const sellerColumns = {
  userId: schema.sellers.userId,
  name: schema.sellers.name,
  email: schema.sellers.email,
  language: schema.user.language,
};

async function personOf({ db }: Ctx, to: Addressee): Promise<Person | undefined> {
  const { sellers, user } = schema;
  if ('email' in to) return { userId: null, name: '', ...to };
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

type Channel = Pick<Message, 'channel' | 'recipient'>;

/** Where a person is told of something: by mail, where there is a mailbox, and in each linked chat. */
const channelsOf = (
  { email, userId }: Person,
  kind: MailKind,
  chats: ReadonlyMap<string, Channel[]>,
): Channel[] => [
  ...(email === null || 'chatsAlone' in letters[kind]
    ? []
    : [{ channel: 'email' as const, recipient: email }]),
  ...(chats.get(userId ?? '') ?? []),
];

/**
 * The linked chats in which people want to be told, by account, of the transports that the market runs. What can be switched off is told there; the other
 * letters speak of mails, or are a mailbox's own. Whoever has no mailbox is told everything there: there is nowhere else.
 */
async function chatsOf(
  { db, services }: Ctx,
  kind: MailKind,
  people: readonly Person[],
): Promise<ReadonlyMap<string, Channel[]>> {
  const told = new Map<string, Channel[]>();
  const mailless = people
    .filter(({ email }) => email === null)
    .flatMap(({ userId }) => userId ?? []);
  const everybody = isOptional(kind) || 'chatsToo' in letters[kind];
  const userIds = everybody
    ? people.flatMap(({ userId }) => userId ?? [])
    : letters[kind].reach === 'always'
      ? mailless
      : [];
  if (userIds.length === 0 || !hasChat(services.env)) return told;
  const { chats: c } = schema;
  const wanted = isOptional(kind) ? eq(c.notices, true) : undefined;
  const rows = await db
    .select({ userId: c.userId, channel: c.transport, recipient: c.keyHash })
    .from(c)
    .where(
      and(
        inArray(c.userId, userIds),
        inArray(c.transport, services.env.networks),
        wanted,
        isNull(c.blockedAt),
      ),
    );
  for (const { userId, ...channel } of rows)
    if (userId !== null) told.set(userId, [...(told.get(userId) ?? []), channel]);
  return told;
}

/**
 * What a notice offers in a chat. What is done with one tap says its yes at once; the product's id makes it mean that one, however late it is tapped,
 * and whoever is not its seller finds nothing by it.
 */
function buttonsOf(kind: MailKind, language: Language, about: string | undefined): NoticeButton[] {
  const rule = letters[kind];
  const label = translator(language, 'bot');
  return ('offers' in rule ? rule.offers : []).map((offer) => {
    const yes = offer === 'relist' || offer === 'sold' ? [typed(language, 'yes')] : [];
    return {
      label: label(`button.${offer}`),
      say: typed(language, offer, ...(about ? [about.replaceAll('-', ''), ...yes] : [])),
    };
  });
}

/** Buttons travel as a reply's do: sealed for their chat. */
const shown = (
  { services }: Ctx,
  { channel, recipient }: Channel,
  buttons: NoticeButton[],
): { sealed?: string } =>
  channel === 'email' || buttons.length === 0
    ? {}
    : {
        sealed: sealFor(
          services.secret,
          { transport: channel, keyHash: recipient },
          JSON.stringify({ buttons: [buttons] }),
        ),
      };

type Draft = { person: Person; params: Params; path: string | undefined; about?: string };

async function write(tx: Ctx, kind: MailKind, drafts: readonly Draft[]): Promise<string[]> {
  const userIds = drafts.flatMap(({ person }) => person.userId ?? []);
  const off = await switchedOff(tx, kind, userIds);
  const chats = await chatsOf(
    tx,
    kind,
    drafts.map(({ person }) => person),
  );
  const { publicUrl } = tx.services.env;
  return writeMessages(
    tx,
    drafts
      .filter(({ person }) => person.userId === null || !off.has(person.userId))
      .flatMap(({ person, params, path, about }) =>
        channelsOf(person, kind, chats).map((channel) => {
          const { userId, name, language } = person;
          const buttons = buttonsOf(kind, language, about);
          const link = path === undefined ? {} : { link: `${publicUrl}/${language}/${path}` };
          return {
            ...channel,
            ...shown(tx, channel, buttons),
            userId,
            name,
            language,
            kind,
            params,
            ...link,
          };
        }),
      ),
  );
}
