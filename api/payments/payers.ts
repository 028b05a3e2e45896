import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import type { Adapter, PaymentNetwork, Purchase } from '../core/ports.ts';
import { seal, unseal } from '../outbox/sealing.ts';
import { Refusal } from '../shared/errors.ts';

const { payers } = schema;
const purpose = 'marche54 payer number';

/** Number in E.164, and its network; without one the adapter predicts it at the start. */
export type Payer = { number: string; network: PaymentNetwork | null };
/** Number and network of a form; without a network the provider predicts it. */
export type PayerGiven = { phone?: string | undefined; network?: PaymentNetwork | undefined };

/** Network of a number; undefined if the provider does not know it or is away. */
export async function predictNetwork(
  { services }: Pick<Ctx, 'services'>,
  adapter: Pick<Adapter, 'name' | 'predict'>,
  number: string,
): Promise<PaymentNetwork | undefined> {
  try {
    return await adapter.predict?.(number);
  } catch (error) {
    services.log.warn('A network could not be predicted', { adapter: adapter.name, error });
    return undefined;
  }
}

/**
 * Number that is charged; undefined if the adapter needs none. Call it outside a transaction. Refuses
 * `payments.numberMissing`, `payments.networkUnknown`.
 */
export async function payerOf(
  ctx: Ctx,
  adapter: Adapter,
  { phone, network }: PayerGiven,
): Promise<Payer | undefined> {
  if (!adapter.needsNumber) return undefined;
  if (!phone) throw new Refusal('payments.numberMissing');
  const found = network ?? (await predictNetwork(ctx, adapter, phone));
  if (!found) throw new Refusal('payments.networkUnknown');
  return { number: phone, network: found };
}

/** Payments in an hour that one phone is asked for, by all accounts together. */
export const askedAnHour = 10;

/** Keeps the number of a payment. Refuses `payments.askedTooOften`. */
export async function keepPayer(tx: Tx, purchaseId: string, { number }: Payer): Promise<void> {
  const { secret } = tx.services;
  const key = createHmac('sha256', secret).update(`${purpose}:${number}`).digest('hex');
  await countAttempt(tx, `payer:${key}`, askedAnHour, 3600, 'payments.askedTooOften');
  await tx.db
    .insert(payers)
    .values({ purchaseId, sealed: seal(secret, purpose, purchaseId, number), at: tx.now() });
}

/** Deletes the number of a payment that ended: nobody is asked for it again. */
export const dropPayer = (tx: Tx, { id }: Pick<Purchase, 'id'>) =>
  tx.db.delete(payers).where(eq(payers.purchaseId, id));

/** Number that a payment is asked of, in E.164; undefined if it has none any more. */
export async function payerNumber(
  { db, services }: Pick<Ctx, 'db' | 'services'>,
  { id }: Pick<Purchase, 'id'>,
): Promise<string | undefined> {
  const [payer] = await db.select().from(payers).where(eq(payers.purchaseId, id));
  return payer && unseal(services.secret, purpose, id, payer.sealed);
}
