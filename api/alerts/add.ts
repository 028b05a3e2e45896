import { and, count, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { type About, aboutOf, wordsOf } from './about.ts';
import { type Owner, ownedBy, requireOwner } from './owner.ts';
import {
  type DeviceAlert,
  mostAlerts,
  mostWithoutAccount,
  notBefore,
  type Pace,
  type Wanted,
} from './rules.ts';

const { alerts: a, chats, user } = schema;

/**
 * Tells the account, or a chat without one, of new listings that fit a search, or of a shop's. The
 * same alert again changes its pace. Returns its id. Refuses `signInRequired`, `alerts.empty`,
 * `alerts.tooMany`, `sellers.shopNotFound`.
 */
export async function addAlert(
  ctx: Ctx,
  { pace, ...wanted }: Wanted & { pace: Pace },
): Promise<string> {
  const owner = await requireOwner(ctx);
  return addTo(ctx, owner, await aboutOf(ctx, wanted), pace);
}

/**
 * Moves a browser's alerts to the account that signs in there, as many as it has room for; what the
 * account has stays as it is.
 */
export async function moveAlerts(
  ctx: Ctx,
  userId: string,
  device: readonly DeviceAlert[],
): Promise<void> {
  for (const wanted of device)
    try {
      await addTo(ctx, { userId }, await aboutOf(ctx, wanted));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
}

/** Without a pace, an alert that is there stays as it is. */
const addTo = (ctx: Ctx, owner: Owner, { forms, ...about }: About, pace?: Pace): Promise<string> =>
  inTransaction(ctx, async ({ db, now }) => {
    if ('userId' in owner)
      await db
        .select({ id: user.id })
        .from(user)
        .where(eq(user.id, owner.userId))
        .for('no key update');
    else
      await db
        .select({ id: chats.id })
        .from(chats)
        .where(eq(chats.id, owner.chatId))
        .for('no key update');
    const made = pace ?? 'now';
    const state = { pace: made, pausedAt: null, notBefore: notBefore(now(), made) };
    const same = about.sellerId ? eq(a.sellerId, about.sellerId) : eq(a.query, about.query);
    const [known] = await db
      .select({ id: a.id })
      .from(a)
      .where(and(ownedBy(owner), same));
    if (known && pace) await db.update(a).set(state).where(eq(a.id, known.id));
    if (known) return known.id;
    const [own] = await db.select({ count: count() }).from(a).where(ownedBy(owner));
    const most = 'userId' in owner ? mostAlerts : mostWithoutAccount;
    if (Number(own?.count) >= most) throw new Refusal('alerts.tooMany', { most });
    const words = forms && wordsOf(forms);
    const [added] = await db
      .insert(a)
      .values({ ...owner, ...about, words, ...state, madeAt: now() })
      .returning({ id: a.id });
    return (added as { id: string }).id;
  });
