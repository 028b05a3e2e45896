import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { hidePrivate } from '../shared/redact.ts';

const dayMs = 86_400_000;
const shown = 10;

/**
 * Emails of 7 and 30 days refused for their recipient (`refused`) or given up otherwise
 * (`givenUp`), and the newest refused ones. Later bounces are unknown: there is no inbound mail.
 */
export async function refusedMails(ctx: Ctx) {
  requireAdmin(ctx);
  const { outbox: o, user } = schema;
  const ago = (days: number) => new Date(ctx.now().getTime() - days * dayMs);
  const failed = and(eq(o.channel, 'email'), eq(o.state, 'failed'), gt(o.createdAt, ago(30)));
  const week = sql`${o.createdAt} > ${ago(7).toISOString()}::timestamptz`;
  const bounced = sql`(${o.fault} = 'recipient') is true`;
  const count = (condition: ReturnType<typeof sql>) =>
    sql<number>`count(*) filter (where ${condition})::int`;
  const [sums] = await ctx.db
    .select({
      weekRefused: count(sql`${week} and ${bounced}`),
      weekGivenUp: count(sql`${week} and not ${bounced}`),
      monthRefused: count(bounced),
      monthGivenUp: count(sql`not ${bounced}`),
    })
    .from(o)
    .where(failed);
  const rows = await ctx.db
    .select({
      id: o.id,
      at: o.createdAt,
      recipient: o.recipient,
      name: user.name,
      lastError: o.lastError,
    })
    .from(o)
    .leftJoin(user, eq(user.id, o.userId))
    .where(and(failed, eq(o.fault, 'recipient')))
    .orderBy(desc(o.createdAt), desc(o.turn))
    .limit(shown);
  return {
    week: { refused: sums?.weekRefused ?? 0, givenUp: sums?.weekGivenUp ?? 0 },
    month: { refused: sums?.monthRefused ?? 0, givenUp: sums?.monthGivenUp ?? 0 },
    letters: rows.map(({ at, lastError, ...row }) => ({
      ...row,
      at: at.toISOString(),
      reason: hidePrivate(lastError ?? ''),
    })),
  };
}
