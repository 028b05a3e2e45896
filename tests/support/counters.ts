import { like, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { TestApp } from './app.ts';

/** Sets rate-limit counters as that many attempts now would. */
export async function fillCounters(
  { db, clock }: Pick<TestApp, 'db' | 'clock'>,
  keys: string,
  attempts: number,
): Promise<void> {
  const { rateLimit } = schema;
  await db
    .update(rateLimit)
    .set({ hits: sql`array_fill(${clock.now().getTime()}::bigint, array[${attempts}::int])` })
    .where(like(rateLimit.key, keys));
}
