import { and, count, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { type About, aboutOf, wordsOf } from './about.ts';
import { type DeviceAlert, mostAlerts, notBefore, type Pace, type Wanted } from './rules.ts';

const { alerts: a, user } = schema;

/**
 * Tells the account of new listings that fit a search, or of a shop's. The same alert again changes
 * its pace. Refuses `signInRequired`, `alerts.empty`, `alerts.tooMany`, `sellers.shopNotFound`.
 */
export async function addAlert(ctx: Ctx, { pace, ...wanted }: Wanted & { pace: Pace }) {
  const { userId } = requireAccount(ctx);
  await addTo(ctx, userId, await aboutOf(ctx, wanted), pace);
}

/** Moves a browser's alerts to the account that signs in there, as many as it has room for. */
export async function moveAlerts(
  ctx: Ctx,
  userId: string,
  device: readonly DeviceAlert[],
): Promise<void> {
  for (const wanted of device)
    try {
      await addTo(ctx, userId, await aboutOf(ctx, wanted), 'now');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
}

const addTo = (ctx: Ctx, userId: string, { forms, ...about }: About, pace: Pace): Promise<void> =>
  inTransaction(ctx, async ({ db, now }) => {
    await db.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('no key update');
    const state = { pace, pausedAt: null, notBefore: notBefore(now(), pace) };
    const same = about.sellerId ? eq(a.sellerId, about.sellerId) : eq(a.query, about.query);
    const changed = await db
      .update(a)
      .set(state)
      .where(and(eq(a.userId, userId), same))
      .returning({ id: a.id });
    if (changed.length > 0) return;
    const [own] = await db.select({ count: count() }).from(a).where(eq(a.userId, userId));
    if (Number(own?.count) >= mostAlerts) throw new Refusal('alerts.tooMany', { most: mostAlerts });
    const words = forms && wordsOf(forms);
    await db.insert(a).values({ userId, ...about, words, ...state, madeAt: now() });
  });
