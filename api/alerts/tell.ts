import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { isLive } from '../listings/live.ts';
import { waysBeside } from '../people/daily.ts';
import { notify } from '../people/notify.ts';
import { nameIn } from '../shared/format.ts';
import { placeWords } from '../shared/places/placeWords.ts';
import { money } from '../shared/text.ts';
import { presentImage } from '../uploads/present.ts';
import { fits } from './about.ts';
import { endToken } from './endFromMail.ts';
import { mostNamed, nextMorning, notBefore } from './rules.ts';
import { alertName } from './words.ts';

const { alerts: a, alertHits: h, products: p, sellers: v, shopSlugs: t, slots: s } = schema;

/**
 * Scheduled job: finds which alerts the listings fit that went live since, and tells those that are
 * due. Never of a listing that returns, and once a product.
 */
export async function tellAlerts(ctx: Ctx): Promise<{ told: number }> {
  requireAdmin(ctx);
  await findHits(ctx);
  await mendFailed(ctx);
  const now = sql`${ctx.now().toISOString()}::timestamptz`;
  const due = await ctx.db
    .select({ id: a.id })
    .from(a)
    .where(
      sql`${a.pausedAt} is null and coalesce(${a.notBefore} <= ${now}, true) and exists
        (select from alert_hits hit where hit.alert_id = ${a.id} and hit.told_at is null)`,
    )
    .orderBy(a.madeAt, a.id);
  let told = 0;
  for (const { id } of due) {
    if (ctx.signal?.aborted) break;
    // One alert's failure costs the others nothing.
    const isTold = await inTransaction(ctx, (tx) => tell(tx, id)).catch((error) => {
      ctx.services.log.error('An alert could not be told', { alert: id, error });
      return false;
    });
    if (isTold) told++;
  }
  return { told };
}

/** One statement for all alerts and all listings that are new. */
const findHits = (ctx: Ctx): Promise<unknown> =>
  inTransaction(ctx, ({ db, now }) => {
    const at = sql`${now().toISOString()}::timestamptz`;
    return db.execute(sql`
      with fresh as (update listings set alerted_at = ${at}
        where alerted_at is null and ended_at is null and started_at is not null
        returning product_id, number, started_at)
      insert into alert_hits (alert_id, product_id, at)
      select a.id, f.product_id, ${at} from fresh
        join findable f on f.product_id = fresh.product_id
        join slots s on s.product_id = f.product_id and s.paused_at is null and s.end_time > ${at}
        left join sellers v on v.id = f.seller_id
        join alerts a on a.paused_at is null and a.made_at <= fresh.started_at
      where fresh.number = 1 and (a.user_id is null or a.user_id is distinct from v.user_id)
        and ${fits}
      on conflict do nothing`);
  });

/**
 * Marks listings of undelivered alerts as unsent, if the person has another channel: `notify` then
 * avoids the one that failed. Deletes the alerts of a mailbox that refused one, unless its person
 * has a chat or a subscribed browser.
 */
async function mendFailed(ctx: Ctx): Promise<void> {
  const { db, now } = ctx;
  const ways = waysBeside(ctx);
  const lately = sql`o.kind = 'alertFits' and o.state = 'failed'
    and o.created_at > ${now().toISOString()}::timestamptz - interval '2 days'`;
  await db.execute(sql`
    with again as (update alert_hits h set told_at = null from alerts a, outbox o join "user" u on u.id = o.user_id
      where h.alert_id = a.id and a.user_id = o.user_id and h.told_at = o.created_at and ${lately}
        and ${ways.other}
      returning a.id)
    update alerts set not_before = null where id in (select id from again)`);
  await db.execute(sql`
    delete from alerts using outbox o where o.user_id = alerts.user_id and o.created_at >= alerts.made_at
      and o.channel = 'email' and o.fault = 'recipient' and ${lately}
      and not ${ways.chat} and not ${ways.browser}`);
}

async function tell(tx: Tx, id: string): Promise<boolean> {
  const now = tx.now();
  const [row] = await tx.db
    .select({ alert: a, shop: v.businessName, slug: t.slug })
    .from(a)
    .leftJoin(v, eq(v.id, a.sellerId))
    .leftJoin(t, and(eq(t.sellerId, a.sellerId), isNull(t.leftAt)))
    .where(and(eq(a.id, id), isNull(a.pausedAt)))
    .for('update', { of: a });
  if (!row) return false;
  const { alert, shop, slug } = row;
  const { userId, chatId } = alert;
  const untold = and(eq(h.alertId, id), isNull(h.toldAt));
  const found = await tx.db
    .select({
      slot: s.id,
      slug: p.slug,
      name: p.name,
      price: p.price,
      city: p.city,
      region: p.region,
      regionCode: p.regionCode,
      images: p.images,
      end: s.endTime,
    })
    .from(h)
    .innerJoin(s, eq(s.productId, h.productId))
    .innerJoin(p, eq(p.id, h.productId))
    .where(and(untold, isLive(now)))
    .orderBy(asc(h.at), p.id);
  const [first] = found;
  const words = (language: Language) => ({
    what: alertName({ query: alert.query, shop }, language),
    products: linesOf(found, language),
    end: `${tx.services.env.publicUrl}/${language}/alerts/end/${endToken(tx, id)}`,
  });
  const all = slug ? `shops/${slug}` : `market${alert.query}&sort=newest`;
  const path = found.length === 1 ? `shop/${first?.slot}/${first?.slug}` : all;
  const told =
    first === undefined ||
    (
      await notify(
        tx,
        chatId ? { chatId } : { userId: userId ?? '' },
        'alertFits',
        words,
        path,
        id,
        {
          unsubscribe: `/alerts/end/${endToken(tx, id)}`,
          until: new Date(Math.min(...found.map(({ end }) => Number(end)))),
          ...(first.images[0] && { picture: photoOf(first.images[0]) }),
        },
      )
    ).length > 0;
  if (told) await tx.db.update(h).set({ toldAt: now }).where(untold);
  // Without room today it waits for the morning.
  await tx.db
    .update(a)
    .set({ notBefore: told ? notBefore(now, alert.pace) : nextMorning(now, 'day') })
    .where(eq(a.id, id));
  return told && first !== undefined;
}

/** Path of a photo for a message. */
const photoOf = (image: StoredImage): string => {
  const { sources, src } = presentImage(image);
  return sources.find(({ width }) => width >= 320)?.src ?? src;
};

type Fit = Pick<typeof p.$inferSelect, 'name' | 'price' | 'city' | 'region' | 'regionCode'>;

function linesOf(found: readonly Fit[], language: Language): string {
  const t = translator(language, 'favourites');
  const lines = found
    .slice(0, mostNamed)
    .map(({ name, price, city, region, regionCode }) =>
      [
        nameIn(name, language),
        price !== null && money(price, language),
        placeWords(language, [city, region], regionCode).join(', '),
      ]
        .filter(Boolean)
        .join(' · '),
    );
  const more = found.length - mostNamed;
  return [...lines, ...(more > 0 ? [t('more', { count: more })] : [])].join('\n');
}
