import { and, eq, gt, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Bilingual, Language } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { isLive } from '../listings/live.ts';
import { waysBeside } from '../people/daily.ts';
import { notify } from '../people/notify.ts';
import { dayAndTime, nameIn } from '../shared/format.ts';

const { favourites: f, products: p, sellers: v, slots: s } = schema;
/** Hours before the end of a favourite in which its person is notified. */
const soonHours = 24;
/** Favourites that one message names. */
const mostNamed = 5;

/**
 * Scheduled job, twice a day: notifies each person, in one message, of favourites that end within a
 * day; again if an end moves an hour later. A person without a message left today is retried by the
 * next run.
 */
export async function tellFavourites(ctx: Ctx): Promise<{ told: number }> {
  requireAdmin(ctx);
  await mendFailed(ctx);
  const people = await ctx.db
    .selectDistinct({ userId: f.userId })
    .from(f)
    .innerJoin(s, eq(s.productId, f.productId))
    .innerJoin(p, eq(p.id, f.productId))
    .leftJoin(v, eq(v.id, p.sellerId))
    .where(isDue(ctx));
  let told = 0;
  for (const { userId } of people) {
    if (ctx.signal?.aborted) break;
    // One person's failure costs the others nothing.
    const isTold = await inTransaction(ctx, (tx) => tell(tx, userId)).catch((error) => {
      ctx.services.log.error('A person could not be told of favourites', { userId, error });
      return false;
    });
    if (isTold) told++;
  }
  return { told };
}

/** Favourites of a person's last message, if that failed, are told by another way. */
async function mendFailed(ctx: Ctx): Promise<void> {
  const since = sql`${ctx.now().toISOString()}::timestamptz - interval '1 day'`;
  await ctx.db.execute(sql`
    update favourites f set end_told = null from outbox o join "user" u on u.id = o.user_id
    where f.user_id = o.user_id and f.end_told is not null and o.state = 'failed'
      and o.kind = 'favouritesEndSoon' and o.created_at > ${since} and ${waysBeside(ctx).other}
      and not exists (select from outbox later where later.user_id = o.user_id
        and later.kind = o.kind and later.turn > o.turn)`);
}

/** Sellers hear of their own listings anyway. */
const isDue = ({ now }: Ctx): SQL | undefined =>
  and(
    isLive(now()),
    lte(s.endTime, new Date(now().getTime() + soonHours * 3_600_000)),
    or(isNull(f.endTold), gt(s.endTime, sql`${f.endTold} + interval '1 hour'`)),
    or(isNull(v.userId), ne(v.userId, f.userId)),
  );

async function tell(tx: Tx, userId: string): Promise<boolean> {
  const due = await tx.db
    .select({ id: p.id, name: p.name, end: s.endTime })
    .from(f)
    .innerJoin(s, eq(s.productId, f.productId))
    .innerJoin(p, eq(p.id, f.productId))
    .leftJoin(v, eq(v.id, p.sellerId))
    .where(and(eq(f.userId, userId), isDue(tx)))
    .orderBy(s.endTime, p.id)
    .for('update', { of: f });
  if (due.length === 0) return false;
  const ids = await notify(
    tx,
    { userId },
    'favouritesEndSoon',
    (language) => ({ products: linesOf(due, language) }),
    'favourites',
    undefined,
    due[0]?.end ? { until: due[0].end } : {},
  );
  if (ids.length === 0) return false;
  await tx.db
    .update(f)
    .set({ endTold: sql`(select end_time from slots where slots.product_id = ${f.productId})` })
    .where(
      and(
        eq(f.userId, userId),
        inArray(
          f.productId,
          due.map(({ id }) => id),
        ),
      ),
    );
  return true;
}

function linesOf(
  due: readonly { name: Bilingual | null; end: Date | null }[],
  language: Language,
): string {
  const t = translator(language, 'favourites');
  const lines = due
    .slice(0, mostNamed)
    .map(({ name, end }) =>
      t('ends', { name: nameIn(name, language), end: dayAndTime(end as Date, language) }),
    );
  const more = due.length - mostNamed;
  return [...lines, ...(more > 0 ? [t('more', { count: more })] : [])].join('\n');
}
