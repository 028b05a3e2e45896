import { and, eq, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { Refusal } from '../shared/errors.ts';
import { ask, atOnce } from './ask.ts';

const { creditPurchases: p } = schema;

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
    .where(and(inArray(p.id, ids), eq(p.adapter, adapter.name), eq(p.status, 'pending')));
  for (const purchase of known) await ask(ctx, purchase);
}
