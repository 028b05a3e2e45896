import { sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { giveBack, liveIn } from '../listings/giveBack.ts';
import { lockLanes } from '../listings/locks.ts';
import { outage, split } from './rules.ts';

export type GivenBack = {
  id: number;
  fromAt: Date;
  untilAt: Date;
  givenSeconds: number;
  restSeconds: number;
  listings: number;
};

/**
 * Records a beat; only a serving process may call it. After two minutes without one, the lost time
 * goes to each live listing in the transaction that moves the pulse, so no crash or second process
 * gives it twice.
 * @param served seconds since this process last beat, by a monotonic clock, so that a machine's
 * clock set forward is no outage
 */
export async function beat(
  ctx: Ctx,
  served = Number.POSITIVE_INFINITY,
): Promise<GivenBack | undefined> {
  const [beaten] = await ctx.db.execute(sql`
    update pulse set beat_at = clock_timestamp()
    where beat_at > clock_timestamp() - make_interval(secs => ${outage.ignored}) returning 1`);
  if (beaten) return undefined;
  return inTransaction(ctx, async (tx) => {
    await lockLanes(tx);
    const [pulse] = await tx.db.execute<{ now: string; gap: number | null }>(sql`
      select clock_timestamp() as now,
      (select extract(epoch from clock_timestamp() - beat_at)::float8 from pulse for update) as gap`);
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

/** Time beyond seven days waits for an admin; the demo drops it, since no one pays there. */
async function settle(tx: Tx, fromAt: Date, untilAt: Date): Promise<GivenBack> {
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

/** False before the first beat: then there is no outage to settle. */
export const wasServed = async ({ db }: Pick<Ctx, 'db'>): Promise<boolean> =>
  (await db.select().from(schema.pulse)).length > 0;

/**
 * True if the last beat is recent or there never was one. Otherwise no listing may end: time may
 * still be given back.
 */
export async function isServed({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  const [row] = await db.execute<{ silent: boolean }>(
    sql`select beat_at < clock_timestamp() - make_interval(secs => ${outage.silent}) as silent from pulse`,
  );
  return !row?.silent;
}
