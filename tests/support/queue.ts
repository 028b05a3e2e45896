import { moveInQueue } from '../../api/queue/move.ts';
import { removeFromQueue } from '../../api/queue/remove.ts';
import { restoreProduct } from '../../api/queue/restore.ts';
import type { Person } from './actors.ts';
import type { TestApp } from './app.ts';
import { lastAudit } from './audit.ts';
import { approved, queueRows } from './products.ts';

export const preferring = { listingType: 'featured', preferredFeaturedSlot: 3 } as const;
export const featured = { listingType: 'featured' } as const;

export function queueActions(
  market: TestApp,
  { seller, admin }: { seller: Person; admin: Person },
) {
  const ofAdmin = () => market.ctx(admin);
  return {
    ofAdmin,
    lastAudit: () => lastAudit(market),
    up: async (id: string, past?: string) =>
      moveInQueue(await ofAdmin(), id, { direction: 'up', past }),
    down: async (id: string, past?: string) =>
      moveInQueue(await ofAdmin(), id, { direction: 'down', past }),
    top: async (id: string) => moveInQueue(await ofAdmin(), id, { direction: 'top' }),
    remove: async (id: string) => removeFromQueue(await ofAdmin(), id),
    restore: async (id: string) => restoreProduct(await ofAdmin(), id),
    order: (queueName?: LaneName) => orderOf(market, queueName),
    bands: async () => (await queueRows(market)).map((row) => row.band),
    async wait(
      ...all: Parameters<typeof approved>[3][]
    ): Promise<[string, string, string, string, string]> {
      const ids: string[] = [];
      for (const overrides of all) {
        market.clock.advance({ minutes: 1 });
        ids.push((await approved(market, seller, admin, overrides)).id);
      }
      return ids as [string, string, string, string, string];
    },
  };
}

export type LaneName = 'queue:featured' | 'queue:regular';

export async function orderOf(
  market: TestApp,
  queueName: LaneName = 'queue:regular',
): Promise<string[]> {
  return (await queueRows(market))
    .filter((row) => row.queueName === queueName)
    .map((row) => row.productId);
}

/** Deletes a product's queue item without a verb. */
export function loseFromQueue({ sql }: Pick<TestApp, 'sql'>, id: string) {
  return sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`delete from queue_items where product_id = ${id}`;
  });
}
