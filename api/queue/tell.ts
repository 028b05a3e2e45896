import { and, asc, eq, gt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { queueNames } from '../../db/vocabularies.ts';
import { translator } from '../../locales/index.ts';
import { dateTag, type Language } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { type WentAhead, wentAhead } from '../listings/ahead.ts';
import { lockLanes } from '../listings/locks.ts';
import type { Lane } from '../listings/rules.ts';
import { notify } from '../people/notify.ts';
import { nameIn } from '../shared/format.ts';

const atOnce = 500;

/**
 * Notifies each seller at most once a day which of their waiting listings were passed, and why
 * (decision 056).
 */
export async function tellOvertaken(ctx: Ctx): Promise<{ told: number }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockLanes(tx);
    const bySeller = new Map<string, Passed[]>();
    for (const queueName of queueNames)
      for (const { sellerId, ...passed } of await passedIn(tx, queueName))
        bySeller.set(sellerId, [...(bySeller.get(sellerId) ?? []), passed]);
    for (const [sellerId, all] of bySeller)
      await notify(
        tx,
        { sellerId },
        'overtaken',
        (language) => words(all, language),
        'seller/dashboard',
      );
    return { told: bySeller.size };
  });
}

type Passed = { name: Parameters<typeof nameIn>[0]; passings: WentAhead[] };

/** Products passed since the last notification; updates that mark. */
async function passedIn(tx: Tx, queueName: Lane): Promise<(Passed & { sellerId: string })[]> {
  const { queueLogs: l, queueItems: q, products: p } = schema;
  const [log] = await tx.db.select().from(l).where(eq(l.queueName, queueName));
  if (!log || log.told === log.entries) return [];
  await tx.db.update(l).set({ told: log.entries }).where(eq(l.queueName, queueName));
  const found: (Passed & { sellerId: string })[] = [];
  for (let after = 0; ; ) {
    const waiting = await tx.db
      .select({ id: q.id, productId: q.productId, sellerId: p.sellerId, name: p.name })
      .from(q)
      .innerJoin(p, eq(p.id, q.productId))
      .where(and(eq(q.queueName, queueName), gt(q.id, after)))
      .orderBy(asc(q.id))
      .limit(atOnce);
    const passed = await wentAhead(
      tx,
      queueName,
      waiting.map(({ productId }) => productId),
      log.told,
    );
    for (const { productId, sellerId, name } of waiting) {
      const passings = passed.get(productId) ?? [];
      if (sellerId && passings.length > 0) found.push({ sellerId, name, passings });
    }
    const last = waiting.at(-1);
    if (!last || waiting.length < atOnce) return found;
    after = last.id;
  }
}

const mostNamed = 3;

function words(
  all: readonly Passed[],
  language: Language,
): { products: string; count: number; why: string } {
  const seller = translator(language, 'seller');
  const names = all
    .slice(0, mostNamed)
    .map(({ name }) => seller('listing.queue.quoted', { name: nameIn(name, language) }));
  const passings = all.flatMap((one) => one.passings);
  const reasons = [...new Set(passings.map(({ why }) => why))].map((why) =>
    seller(`listing.queue.ahead.${why}`),
  );
  const list = new Intl.ListFormat(dateTag(language), { type: 'conjunction' });
  const more =
    all.length > mostNamed ? [seller('listing.queue.more', { count: all.length - mostNamed })] : [];
  return {
    products: list.format([...names, ...more]),
    count: passings.length,
    why: reasons.join('\n'),
  };
}
