import { and, eq, isNull } from 'drizzle-orm';
import { isTransient, schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import { openToEveryone } from '../core/access.ts';
import { type Ctx, inChat, type Tx, userIdOf, visitorKey } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { isLive } from '../listings/live.ts';
import { refersTo } from '../products/reference.ts';
import { contactNumberOf } from '../sellers/rules.ts';
import { readSettings } from '../settings/values.ts';
import { Refusal } from '../shared/errors.ts';
import { nameIn } from '../shared/format.ts';
import { slotNumber } from '../shared/slots.ts';
import { ask, judge, type Question } from './challenge.ts';
import { countContacts, countNewcomers, countWrong, hasLookedAround } from './counts.ts';
import { watchHarvest } from './harvest.ts';
import {
  type ContactLimits,
  chatWaitSeconds,
  contactLimitNames,
  isNewcomer,
  mustAnswer,
  type NewcomerCounts,
  newChats,
  numberTurnSeconds,
  turnSeconds,
  waitSeconds,
  whatsappLink,
  withinLimits,
} from './rules.ts';
import type { Reply } from './schema.ts';

/** The only response of the product that contains a seller's number. */
export type Contact = { seller_whatsapp: string; link: string; slotId: number };

/** check_contact_rate_limit (product §7): true if one more request would pass. Counts nothing. */
export async function checkContactLimit(ctx: Ctx): Promise<boolean> {
  const limits = await readSettings(ctx, contactLimitNames);
  const known = userIdOf(ctx.actor) || ctx.client.visitor;
  const visitor = known ? visitorKey(ctx) : '';
  return withinLimits(await countContacts(ctx, visitor), limits, isNewcomer(ctx, ctx.now()));
}

type Asked = {
  code: 'contact.challenge' | 'contact.wrongAnswer' | 'contact.tooEarly';
  question: Question;
};

/**
 * request_seller_contact (product §7, product R22): limit, number and messageTap in one
 * transaction. Refuses `contact.consentRequired`, `contact.rateLimited`, `contact.notAvailable`
 * (not live, or no number), `contact.lookupFailed`, `contact.failed`, and with a {@link Question}
 * to answer (decision 028) `contact.challenge`, `contact.wrongAnswer`, `contact.tooEarly`.
 */
export async function requestContact(
  ctx: Ctx,
  reference: string,
  consent: boolean,
  reply?: Reply,
): Promise<Contact> {
  openToEveryone(ctx);
  if (!consent) throw new Refusal('contact.consentRequired');
  const visitor = visitorKey(ctx);
  let outcome: Contact | Asked;
  try {
    outcome = await inTransaction(ctx, (tx) =>
      consented(amongNewChats(tx), reference, visitor, reply),
    );
  } catch (error) {
    throw error instanceof Refusal
      ? error
      : new Refusal('contact.failed', {}, [], { cause: error });
  }
  // Outside the transaction: a refusal inside would roll back the question.
  if ('question' in outcome)
    throw new Refusal(outcome.code, { seconds: outcome.question.seconds }, [], {
      details: outcome.question,
    });
  return outcome;
}

/** New chats count together, as the newcomers of one address do. */
const amongNewChats = (ctx: Tx): Tx =>
  inChat(ctx) && isNewcomer(ctx, ctx.now())
    ? { ...ctx, client: { ...ctx.client, addressHash: newChats } }
    : ctx;

async function consented(
  tx: Tx,
  reference: string,
  visitor: string,
  reply: Reply | undefined,
): Promise<Contact | Asked> {
  const { contactRequests, engagementEvents } = schema;
  // Serializes requests of a visitor and of an address, so that ten at once cannot all count nine.
  await lockNamed(tx, `contact:${tx.client.addressHash}`);
  await lockNamed(tx, `contact-visitor:${visitor}`);
  const limits = await readSettings(tx, contactLimitNames);
  const now = tx.now();
  const newcomer = isNewcomer(tx, now);
  const counts = await countContacts(tx, visitor);
  // The limit of an address would refuse honest chats; they have questions and turns instead.
  if (!withinLimits(inChat(tx) ? { ...counts, newcomers: 0 } : counts, limits, newcomer))
    throw new Refusal('contact.rateLimited');
  const [live, another] = await lookUp(tx, reference, now);
  const number = live && contactNumberOf({ listing: live.own, profile: live.sellers });
  // Two products share a code: never lead to the wrong seller.
  if (!live || another || !number || live.suspended) throw new Refusal('contact.notAvailable');
  const { productId } = live;
  const so = newcomer ? await countNewcomers(tx, productId) : undefined;
  const looked = newcomer && (await hasLookedAround(tx, visitor));
  if (so) {
    const asked = await questioned(tx, productId, { visitor, looked, so, limits, reply });
    if (asked) return asked;
  }
  await tx.db.insert(contactRequests).values({
    visitor,
    addressHash: tx.client.addressHash,
    productId,
    requestedAt: now,
    newcomer,
    looked,
  });
  await tx.db
    .insert(engagementEvents)
    .values({ type: 'messageTap', slotId: live.slotId, productId, visitor, occurredAt: now });
  if (inChat(tx)) await rememberChat(tx, now);
  if (so) await watchHarvest(tx, so, limits);
  const greeting = translator(tx.language, 'shop')('whatsapp.greeting', {
    name: nameIn(live.name, tx.language),
    slot: slotNumber(live.slotId),
  });
  return { seller_whatsapp: number, link: whatsappLink(number, greeting), slotId: live.slotId };
}

async function rememberChat({ db, client }: Ctx, now: Date): Promise<void> {
  const { chats } = schema;
  const keyHash = client.visitor?.replace(/^\w+:/, '') ?? '';
  await db
    .update(chats)
    .set({ contactedAt: now })
    .where(and(eq(chats.keyHash, keyHash), isNull(chats.contactedAt)));
}

type Newcomer = {
  visitor: string;
  looked: boolean;
  so: NewcomerCounts;
  limits: ContactLimits;
  reply: Reply | undefined;
};

async function questioned(
  tx: Tx,
  productId: string,
  { visitor, looked, so, limits, reply }: Newcomer,
): Promise<Asked | undefined> {
  const chat = inChat(tx);
  const turn = chat ? numberTurnSeconds(so, limits) : turnSeconds(so, limits, looked);
  if (turn === 0 && !mustAnswer(so, limits, { cookie: !tx.client.unknown, looked }))
    return undefined;
  const asker = { visitor, looked, turn };
  const judged = reply ? await judge(tx, productId, reply, asker) : 'void';
  if (judged === 'right') return undefined;
  if (typeof judged === 'object') return { code: 'contact.tooEarly', question: judged.early };
  const wait = chat
    ? chatWaitSeconds(await countWrong(tx, visitor), limits)
    : waitSeconds(so, limits, looked);
  const question = await ask(tx, productId, asker, wait);
  await watchHarvest(tx, so, limits);
  return { code: judged === 'wrong' ? 'contact.wrongAnswer' : 'contact.challenge', question };
}

/** Passes deadlocks on, to be retried. */
async function lookUp(tx: Tx, reference: string, now: Date) {
  const { slots, products, sellers } = schema;
  try {
    return await tx.db
      .select({
        productId: products.id,
        slotId: slots.id,
        name: products.name,
        own: products.sellerWhatsapp,
        sellers: sellers.whatsapp,
        suspended: sellers.suspended,
      })
      .from(slots)
      .innerJoin(products, eq(products.id, slots.productId))
      .leftJoin(sellers, eq(sellers.id, products.sellerId))
      .where(and(refersTo(reference), isLive(now)))
      // A concurrent deletion waits for the commit, or comes first and leaves none to contact.
      .for('key share', { of: products });
  } catch (error) {
    throw isTransient(error)
      ? error
      : new Refusal('contact.lookupFailed', {}, [], { cause: error });
  }
}
