import { sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { giveBack, liveIn } from '../listings/giveBack.ts';
import { lockLanes } from '../listings/locks.ts';
import { outage, split } from './rules.ts';

/** What was given back for an outage. */
export type GivenBack = {
  id: number;
  fromAt: Date;
  untilAt: Date;
  givenSeconds: number;
  restSeconds: number;
  listings: number;
};

/**
 * Says that the market is served, by the database's clock; called by a process that serves it, and by no other. When nobody said so for two minutes, that was an
 * outage: its time is given back to each live listing, in the transaction that moves the pulse, so that no crash and no second process gives it twice.
 * @param served for how many seconds this process has certainly not been away, by a clock that does not jump: a machine's clock that was set forward is no outage
 */
export async function beat(
  ctx: Ctx,
  served = Number.POSITIVE_INFINITY,
): Promise<GivenBack | undefined> {
  const [beaten] = await ctx.db.execute(sql`
    update pulse set beat_at = clock_timestamp() where beat_at > clock_timestamp() - make_interval(secs => ${outage.ignored}) returning 1`);
  if (beaten) return undefined;
  return inTransaction(ctx, async (tx) => {
    await lockLanes(tx);
    const [pulse] = await tx.db.execute<{ now: string; gap: number | null }>(sql`
      select clock_timestamp() as now, (select extract(epoch from clock_timestamp() - beat_at)::float8 from pulse for update) as gap`);
    if (!pulse) throw new Error('The database tells no time');
    const untilAt = new Date(pulse.now);
    await tx.db
      .insert(schema.pulse)
      .values({ id: 1, beatAt: untilAt })
      .onConflictDoUpdate({ target: schema.pulse.id, set: { beatAt: untilAt } });
    const away = Math.min(pulse.gap ?? 0, served);
    return away < outage.ignored
      ? undefined
      : settle(tx, new Date(untilAt.getTime() - away * 1000), untilAt);
  });
}

/** Keeps what the outage was and gives it back. What is beyond seven days waits for an admin; in the demo, where nobody pays, it is let go. */
async function settle(tx: Ctx, fromAt: Date, untilAt: Date): Promise<GivenBack> {
  const { given, rest } = split(Math.round((untilAt.getTime() - fromAt.getTime()) / 1000));
  const owed = await liveIn(tx, fromAt, untilAt);
  const shares = owed.map((share) => ({ ...share, seconds: split(share.seconds).given }));
  await giveBack(tx, shares);
  const waits =
    rest > 0 && owed.some((share) => split(share.seconds).rest > 0) && !tx.services.env.demo;
  const kept = { givenSeconds: given, restSeconds: waits ? rest : 0 };
  const [row] = await tx.db
    .insert(schema.outages)
    .values({ fromAt, untilAt, ...kept, decision: waits ? 'waiting' : null, shares: owed })
    .returning({ id: schema.outages.id });
  if (!row) throw new Error('The outage could not be kept');
  await audit(tx, {
    action: 'outage.giveBack',
    subjectKind: 'outage',
    subjectId: String(row.id),
    before: { startTime: fromAt.toISOString(), endTime: untilAt.toISOString() },
    after: {
      seconds: given,
      restSeconds: kept.restSeconds,
      slots: shares.map(({ slotId }) => slotId),
    },
  });
  return { id: row.id, fromAt, untilAt, ...kept, listings: shares.length };
}

/** Whether anybody ever served this market: what nobody could reach yet has lost nothing. */
export const wasServed = async ({ db }: Pick<Ctx, 'db'>): Promise<boolean> =>
  (await db.select().from(schema.pulse)).length > 0;

/**
 * Whether the market is served as far as its pulse tells: somebody said so a moment ago, or nobody ever did. Nothing is ended otherwise: the time that a listing
 * has left may be about to be given back.
 */
export async function isServed({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  const [row] = await db.execute<{ silent: boolean }>(
    sql`select beat_at < clock_timestamp() - make_interval(secs => ${outage.silent}) as silent from pulse`,
  );
  return !row?.silent;
}
