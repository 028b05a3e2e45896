import { createHmac } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { takingDays } from './rules.ts';

const { numberTakings: t, sellers } = schema;

/** A number as it is remembered where it must not stand itself: in a chat's state, and after it was taken back. */
export const numberKey = ({ services }: Pick<Ctx, 'services'>, number: string): string =>
  createHmac('sha256', services.secret).update(`number:${number}`).digest('hex');

/**
 * Judges whether a phone may take its number back from the seller for whom it is proven. Refuses `sellers.numberByTeam` when
 * that seller is suspended, or the number was taken back in the last thirty days: only an admin moves it then.
 */
export async function requireTakeable(
  tx: Ctx,
  holder: { suspended: boolean },
  number: string,
): Promise<void> {
  const since = new Date(tx.now().getTime() - takingDays * 86_400_000);
  const taken =
    holder.suspended ||
    (await tx.db.$count(t, and(eq(t.numberKey, numberKey(tx, number)), gt(t.takenAt, since)))) > 0;
  if (taken) throw new Refusal('sellers.numberByTeam');
}

/** Remembers that a number was taken back, and clears it from the profile that lost it. The listings of that seller stay. */
export async function recordTaking(tx: Ctx, loserId: string, number: string): Promise<void> {
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
