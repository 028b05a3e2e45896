import { type Db, schema } from '../../db/client.ts';
import { dayKey } from '../shared/format.ts';

const dayMs = 86_400_000;
const daysBack = 75;

export type Shown = { slotId: number; productId: string; startedAt: Date; views: number };

const figuresOf = (views: number) => ({
  views,
  clicks: Math.round(views / 4),
  messageTaps: Math.round(views / 15),
  shares: Math.round(views / 30),
});

/**
 * Spreads the counters of live listings over their days, and fills earlier days with ended
 * listings.
 * @param gone ids of ended listings
 */
export async function seedHistory(
  db: Db,
  now: Date,
  shown: readonly Shown[],
  gone: readonly string[],
): Promise<void> {
  const slotDays: (typeof schema.slotDaily.$inferInsert)[] = [];
  const productDays: (typeof schema.productDaily.$inferInsert)[] = [];
  for (const { slotId, productId, startedAt, views } of shown) {
    const days = Math.floor((now.getTime() - startedAt.getTime()) / dayMs) + 1;
    let left = figuresOf(views);
    for (let back = days - 1; back >= 0; back--) {
      const day = dayKey(new Date(now.getTime() - back * dayMs));
      const part = back === 0 ? left : share(figuresOf(views), days);
      left = minus(left, part);
      slotDays.push({ day, slotId, productId, ...part });
      productDays.push({ day, productId, ...part });
    }
    for (let back = days; back < daysBack; back++) {
      const moment = new Date(now.getTime() - back * dayMs);
      const weekend = moment.getUTCDay() === 6 ? 24 : moment.getUTCDay() === 0 ? 12 : 0;
      const product = gone[(slotId + Math.floor(back / 4)) % gone.length];
      if (product)
        slotDays.push({
          day: dayKey(moment),
          slotId,
          productId: product,
          ...figuresOf(30 + ((slotId * 13 + back * 7) % 41) + weekend),
        });
    }
  }
  for (let from = 0; from < slotDays.length; from += 1000)
    await db.insert(schema.slotDaily).values(slotDays.slice(from, from + 1000));
  await db.insert(schema.productDaily).values(productDays);
}

type Figures = ReturnType<typeof figuresOf>;
const each = (figures: Figures, change: (value: number, key: keyof Figures) => number): Figures =>
  Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [key, change(value, key as keyof Figures)]),
  ) as Figures;
const share = (figures: Figures, days: number) =>
  each(figures, (value) => Math.floor(value / days));
const minus = (figures: Figures, part: Figures) => each(figures, (value, key) => value - part[key]);

export async function seedReports(db: Db, now: Date, shown: readonly Shown[]): Promise<void> {
  const wanted = [
    { reason: 'unavailable', at: 3, note: null },
    { reason: 'misleading', at: 8, note: null },
    { reason: 'misleading', at: 8, note: 'La photo ne montre pas la même couleur.' },
    { reason: 'fraud', at: 14, note: 'Asked for a deposit before showing the item.' },
  ] as const;
  const rows = wanted.flatMap(({ reason, at, note }, index) => {
    const stall = shown[at];
    return stall
      ? [
          {
            productId: stall.productId,
            slotId: stall.slotId,
            reason,
            note,
            visitor: `demo-visitor-${index}`,
            createdAt: new Date(now.getTime() - (index + 1) * 5_400_000),
          },
        ]
      : [];
  });
  if (rows.length > 0) await db.insert(schema.reports).values(rows);
}
