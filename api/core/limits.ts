import { randomUUID } from 'node:crypto';
import { eq, lte, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from './context.ts';
import { Refusal } from './errors.ts';
import { retrySeconds } from './load.ts';

/**
 * Counts one attempt against a key and refuses above `max` in a window of `windowSeconds`. The counter is one row, written in one
 * statement, shared by every process; once a key is refused, a flood of further attempts writes nothing. Keys name people by account or
 * address only as far as the limit needs.
 */
export async function countAttempt(
  ctx: Ctx,
  key: string,
  max: number,
  windowSeconds: number,
  code: 'auth.tooManyAttempts' | 'tooManyRequests' | 'uploads.tooOften' = 'auth.tooManyAttempts',
): Promise<void> {
  const { rateLimit } = schema;
  const now = ctx.now().getTime();
  const oldest = now - windowSeconds * 1000;
  // A window that begins in the future was begun by a clock that has been put right since, and would last for as long as that had jumped.
  const over = sql`(${rateLimit.lastRequest} <= ${oldest} or ${rateLimit.lastRequest} > ${now + 60_000})`;
  const [row] = await ctx.db
    .insert(rateLimit)
    // The id is by chance: were it the key, two first attempts at once would meet on the primary key, which `target` does not cover.
    .values({ id: randomUUID(), key, count: 1, lastRequest: now })
    .onConflictDoUpdate({
      target: rateLimit.key,
      // `last_request` is the start of the window: it stays until the window is over.
      set: {
        count: sql`case when ${over} then 1 else ${rateLimit.count} + 1 end`,
        lastRequest: sql`case when ${over} then ${now} else ${rateLimit.lastRequest} end`,
      },
      setWhere: or(over, lte(rateLimit.count, max)),
    })
    .returning({ count: rateLimit.count, since: rateLimit.lastRequest });
  if (row && row.count <= max) return;
  const [refused] = row ? [row] : await ctx.db.select({ since: rateLimit.lastRequest }).from(rateLimit).where(eq(rateLimit.key, key));
  throw new Refusal(code, {}, [], { retryAfter: retrySeconds((refused?.since ?? now) + windowSeconds * 1000 - now) });
}
