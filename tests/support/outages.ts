import { schema } from '../../db/client.ts';
import type { TestApp } from './app.ts';

/**
 * Creates an outage of ten days without live listings, three of which wait for an admin; returns
 * its id.
 */
export async function undecided({ db, clock }: Pick<TestApp, 'db' | 'clock'>): Promise<number> {
  const untilAt = clock.now();
  const outage = {
    fromAt: new Date(untilAt.getTime() - 10 * 86_400_000),
    untilAt,
    givenSeconds: 7 * 86_400,
    restSeconds: 3 * 86_400,
    shares: [],
  };
  const [row] = await db
    .insert(schema.outages)
    .values({ ...outage, decision: 'waiting' })
    .returning();
  return row?.id ?? 0;
}
