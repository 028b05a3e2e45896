import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { isTransient, schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { readSettings } from '../core/settings.ts';
import { inTransaction } from '../core/transaction.ts';
import { nameIn } from '../products/present.ts';
import { refersTo } from '../products/reference.ts';
import { slotNumber } from '../slots/rules.ts';
import { whatsappLink, withinLimits } from './rules.ts';

/** The one answer in the whole product that holds a seller's number. */
export type Contact = { seller_whatsapp: string; link: string; slotId: number };

/** Who the limit counts: the chat account, or the visitor's signed cookie. */
export function visitorKey(ctx: Ctx): string {
  if (ctx.actor.kind === 'chat') return `${ctx.actor.channel}:${ctx.actor.account}`;
  if (!ctx.client.visitor) throw new Error('A contact request needs a visitor id');
  return ctx.client.visitor;
}

async function counts(ctx: Ctx, visitor: string) {
  const now = ctx.now().getTime();
  const hour = new Date(now - 3_600_000).toISOString();
  const { contactRequests: r } = schema;
  const [own] = await ctx.db
    .select({ hour: sql<number>`count(*) filter (where ${r.requestedAt} > ${hour}::timestamptz)::int`, day: sql<number>`count(*)::int` })
    .from(r)
    .where(and(eq(r.visitor, visitor), gt(r.requestedAt, new Date(now - 86_400_000))));
  const [address] = await ctx.db
    .select({ hour: sql<number>`count(*)::int` })
    .from(r)
    .where(and(eq(r.addressHash, ctx.client.addressHash), gt(r.requestedAt, new Date(now - 3_600_000))));
  return { hour: own?.hour ?? 0, day: own?.day ?? 0, addressHour: address?.hour ?? 0 };
}

/** check_contact_rate_limit: whether one more request would pass (marketplace §7). Counts nothing. */
export async function checkContactLimit(ctx: Ctx): Promise<boolean> {
  const limits = await readSettings(ctx, ['contactPerHour', 'contactPerDay', 'contactPerAddressPerHour']);
  const visitor = ctx.actor.kind === 'chat' || ctx.client.visitor ? visitorKey(ctx) : '';
  return withinLimits(await counts(ctx, visitor), limits);
}

/**
 * request_seller_contact (marketplace §7, decision 22): limit, number and messageTap in one consented call and one transaction.
 * Refuses `contact.consentRequired`, `contact.rateLimited`, and `contact.notAvailable` when the product is not live (ended,
 * paused, suspended seller) or has no number; `contact.lookupFailed` when the number cannot be read, `contact.failed` when anything else breaks.
 */
export async function requestContact(ctx: Ctx, reference: string, consent: boolean): Promise<Contact> {
  if (!consent) throw new Refusal('contact.consentRequired');
  const visitor = visitorKey(ctx);
  try {
    return await inTransaction(ctx, (tx) => consented(tx, reference, visitor));
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('contact.failed', {}, [], { cause: error });
  }
}

async function consented(tx: Ctx, reference: string, visitor: string): Promise<Contact> {
  const { contactRequests, engagementEvents } = schema;
  // Taps of one visitor, and of one address, follow each other, so that ten taps at once cannot all read "nine so far".
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`contact:${tx.client.addressHash}`}, 54))`);
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`contact-visitor:${visitor}`}, 54))`);
  const limits = await readSettings(tx, ['contactPerHour', 'contactPerDay', 'contactPerAddressPerHour']);
  if (!withinLimits(await counts(tx, visitor), limits)) throw new Refusal('contact.rateLimited');
  const now = tx.now();
  const [live, another] = await lookUp(tx, reference, now);
  const number = live?.own ?? live?.sellers;
  // Two products of one code: nobody may be led to the wrong seller.
  if (!live || another || !number || live.suspended) throw new Refusal('contact.notAvailable');
  const { productId } = live;
  await tx.db.insert(contactRequests).values({ visitor, addressHash: tx.client.addressHash, productId, requestedAt: now });
  await tx.db.insert(engagementEvents).values({ type: 'messageTap', slotId: live.slotId, productId, visitor, occurredAt: now });
  const greeting = translator(tx.language, 'shop')('contact.greeting', { name: nameIn(live.name, tx.language), slot: slotNumber(live.slotId) });
  return { seller_whatsapp: number, link: whatsappLink(number, greeting), slotId: live.slotId };
}

/** The products in slots that a reference means, with their sellers' numbers. What cannot be read is said as such; a broken deadlock goes on to be tried again. */
async function lookUp(tx: Ctx, reference: string, now: Date) {
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
      .where(
        and(refersTo(reference), eq(slots.active, true), isNull(slots.pausedAt), gt(slots.endTime, now), isNull(products.removedAt), isNull(products.soldAt)),
      )
      // A deletion at this very moment waits until the request is counted, or comes first and there is nothing to contact.
      .for('key share', { of: products });
  } catch (error) {
    throw isTransient(error) ? error : new Refusal('contact.lookupFailed', {}, [], { cause: error });
  }
}
