import { and, eq, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { countAttempt, tryCount } from '../core/limits.ts';
import { Refusal } from '../shared/errors.ts';
import { ask, atOnce } from './ask.ts';
import { mayBePaid } from './rules.ts';

const { purchases: p } = schema;
/** Questions about one purchase that callbacks cause. */
const perPurchase = { max: 3, seconds: 10 };

/**
 * Handles a provider's callback by asking about its purchases; the content itself is not trusted.
 * Refuses `notFound` for an unknown adapter, `tooManyRequests`.
 */
export async function hearCallback(
  ctx: Ctx,
  adapterName: string,
  body: string,
  headers: Headers,
): Promise<void> {
  openToEveryone(ctx);
  const adapter = ctx.services.payments.find(({ name }) => name === adapterName);
  if (!adapter) throw new Refusal('notFound');
  await countAttempt(ctx, `callback:${ctx.client.addressHash}`, 300, 60, 'tooManyRequests');
  const ids = (await adapter.readCallback(body, headers)).slice(0, atOnce);
  if (ids.length === 0) return;
  const known = await ctx.db
    .select()
    .from(p)
    .where(and(inArray(p.id, ids), eq(p.adapter, adapter.name)));
  for (const purchase of known) {
    if (!mayBePaid(purchase)) continue;
    const { waitMs } = await tryCount(ctx, `callback-ask:${purchase.id}`, [perPurchase]);
    if (waitMs === undefined) await ask(ctx, purchase);
  }
}
