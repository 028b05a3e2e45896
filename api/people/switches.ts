import { and, eq, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import type { MailKind } from '../outbox/outbox.ts';
import { Refusal } from '../shared/errors.ts';
import { concerns, isOptional, type OptionalKind, optionalKinds } from './notifications.ts';

const { notificationsOff: off } = schema;

/**
 * Switches a kind of notification for the actor. Refuses `signInRequired`, and `forbidden` for a
 * kind that is not optional.
 */
export async function switchNotification(ctx: Ctx, kind: OptionalKind, on: boolean): Promise<void> {
  const { userId } = requireAccount(ctx);
  if (!isOptional(kind)) throw new Refusal('forbidden');
  if (on) await ctx.db.delete(off).where(and(eq(off.userId, userId), eq(off.kind, kind)));
  else await ctx.db.insert(off).values({ userId, kind, since: ctx.now() }).onConflictDoNothing();
}

export async function switchedOff(
  ctx: Ctx,
  kind: MailKind,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0 || !isOptional(kind)) return new Set();
  const rows = await ctx.db
    .select({ userId: off.userId })
    .from(off)
    .where(and(eq(off.kind, kind), inArray(off.userId, [...userIds])));
  return new Set(rows.map(({ userId }) => userId));
}

/** Refuses `signInRequired`. */
export async function ownSwitches({
  db,
  actor,
}: Pick<Ctx, 'db' | 'actor'>): Promise<{ kind: OptionalKind; on: boolean }[]> {
  const userId = userIdOf(actor);
  if (userId === null) throw new Refusal('signInRequired');
  const who = { sells: 'seller' in actor && actor.seller !== null, admin: actor.kind === 'admin' };
  const rows = await db.select({ kind: off.kind }).from(off).where(eq(off.userId, userId));
  const switched = new Set<string>(rows.map(({ kind }) => kind));
  return optionalKinds
    .filter((kind) => concerns(kind, who))
    .map((kind) => ({ kind, on: !switched.has(kind) }));
}
