import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx, Tx } from '../core/context.ts';
import type { Adapter, Purchase, PurchaseMethod } from '../core/ports.ts';
import { feeReferenceOf } from '../listings/rules.ts';
import { Refusal } from '../shared/errors.ts';
import { ask, leaseMs } from './ask.ts';
import { keepPayer, type Payer } from './payers.ts';

const { purchases: p } = schema;

/** The adapter of a way to pay. Refuses `payments.methodAway` without one. */
export function adapterFor({ services }: Pick<Ctx, 'services'>, method: PurchaseMethod): Adapter {
  const adapter = services.payments.find(({ methods }) => methods.includes(method));
  if (!adapter) throw new Refusal('payments.methodAway');
  return adapter;
}

/** Stores a purchase before its adapter hears of it, `begin` or else the sweep of `askAt`. */
export async function keepPurchase(
  tx: Tx,
  method: PurchaseMethod,
  subject: Partial<typeof p.$inferInsert>,
  payer?: Payer,
): Promise<Purchase> {
  const id = randomUUID();
  const now = tx.now();
  const [purchase] = await tx.db
    .insert(p)
    .values({
      askAt: new Date(now.getTime() + leaseMs),
      ...subject,
      id,
      purchaseMethod: method,
      network: payer?.network ?? null,
      adapter: adapterFor(tx, method).name,
      reference: feeReferenceOf(id),
      createdAt: now,
    })
    .returning();
  if (!purchase) throw new Error('A purchase could not be kept');
  if (payer) await keepPayer(tx, id, payer);
  return purchase;
}

/** Starts a stored purchase; a repeated request may find one whose start was interrupted. */
export async function begin(ctx: Ctx, id: string): Promise<Purchase> {
  const [purchase] = await ctx.db.select().from(p).where(eq(p.id, id));
  if (!purchase) throw new Refusal('payments.notFound');
  const isNew = purchase.startedAt === null && purchase.status === 'pending';
  return isNew ? ask(ctx, purchase) : purchase;
}
