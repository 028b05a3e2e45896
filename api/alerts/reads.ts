import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { subscribedAccounts } from '../people/browsers.ts';
import { stoppedAccounts } from '../people/daily.ts';
import { mailbox } from '../people/mailbox.ts';
import { switchedOff } from '../people/switches.ts';
import { ownedBy, requireOwner } from './owner.ts';
import type { Channel } from './schema.ts';
import { alertName } from './words.ts';

/** Alerts of the account, or of a chat without one, the newest first. */
export async function ownAlerts(ctx: Ctx) {
  const owner = await requireOwner(ctx);
  const { alerts: a, sellers: v, shopSlugs: t } = schema;
  const rows = await ctx.db
    .select({ alert: a, shop: v.businessName, slug: t.slug })
    .from(a)
    .leftJoin(v, eq(v.id, a.sellerId))
    .leftJoin(t, and(eq(t.sellerId, a.sellerId), isNull(t.leftAt)))
    .where(ownedBy(owner))
    .orderBy(desc(a.madeAt), a.id);
  return rows.map(({ alert: { id, query, pace, pausedAt, sellerId }, shop, slug }) => ({
    id,
    pace,
    paused: pausedAt !== null,
    name: alertName({ query, shop }, ctx.language),
    /** Null for a shop that has closed. */
    path: sellerId === null ? `/market${query}` : slug && `/shops/${slug}`,
  }));
}

/**
 * Channels of the account, and the one that is used. `silent`: no message is sent, as its person
 * wrote STOP in a chat or switched these messages off.
 */
export async function ownChannels(
  ctx: Ctx,
): Promise<{ channels: Channel[]; chosen: Channel | null; silent: boolean }> {
  const { userId } = requireAccount(ctx);
  const { chats: c, user } = schema;
  const [person] = await ctx.db
    .select({ email: mailbox, toldBy: user.toldBy })
    .from(user)
    .where(eq(user.id, userId));
  const chats = await ctx.db
    .select({ transport: c.transport })
    .from(c)
    .where(
      and(
        eq(c.userId, userId),
        inArray(c.transport, ctx.services.env.networks),
        eq(c.notices, true),
        isNull(c.blockedAt),
        isNull(c.closedAt),
      ),
    )
    .orderBy(sql`${c.wroteAt} desc nulls last`);
  const all = [
    ...chats.map(({ transport }) => transport),
    ...((await subscribedAccounts(ctx, [userId])).size > 0 ? ['push' as const] : []),
    ...(person?.email ? ['email' as const] : []),
  ];
  const channels = [...new Set<Channel>(all)];
  const chosen = channels.find((one) => one === person?.toldBy) ?? channels[0] ?? null;
  const stopped = await stoppedAccounts(ctx, [userId]);
  const off = await switchedOff(ctx, 'alertFits', [userId]);
  return { channels, chosen, silent: chosen === null || stopped.size > 0 || off.size > 0 };
}
