import { createHmac } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';
import { takingDays } from './rules.ts';

const { numberTakings: t, sellers } = schema;

/**
 * Keyed hash of a number, for places that must not store it: a chat's state, taken-back numbers.
 */
export const numberKey = ({ services }: Pick<Ctx, 'services'>, number: string): string =>
  createHmac('sha256', services.secret).update(`number:${number}`).digest('hex');

/**
 * Refuses `sellers.numberByTeam` if the holder is suspended or the number was taken back in the
 * last thirty days.
 */
export async function requireTakeable(
  tx: Tx,
  holder: { suspended: boolean },
  number: string,
): Promise<void> {
  const since = new Date(tx.now().getTime() - takingDays * 86_400_000);
  const taken =
    holder.suspended ||
    (await tx.db.$count(t, and(eq(t.numberKey, numberKey(tx, number)), gt(t.takenAt, since)))) > 0;
  if (taken) throw new Refusal('sellers.numberByTeam');
}

/** Records a take-back and clears the number from the profile that lost it, whose listings stay. */
export async function recordTaking(tx: Tx, loserId: string, number: string): Promise<void> {
  const takenAt = tx.now();
  await tx.db
    .insert(t)
    .values({ numberKey: numberKey(tx, number), takenAt })
    .onConflictDoUpdate({ target: t.numberKey, set: { takenAt } });
  await tx.db
    .update(sellers)
    .set({ whatsapp: null, updatedAt: takenAt })
    .where(and(eq(sellers.id, loserId), eq(sellers.whatsapp, number)));
}
