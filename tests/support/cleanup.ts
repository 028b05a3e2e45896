import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { removeFromQueue } from '../../api/queue/remove.ts';
import { cardKeys } from '../../api/sharecards/cards.ts';
import type { Cleaned } from '../../api/upkeep/cleanup.ts';
import { refinePhotos } from '../../api/uploads/refine.ts';
import { schema } from '../../db/client.ts';
import type { Person } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Span } from './clock.ts';
import { jpeg } from './photos.ts';
import { approved, live, productRow, runQueue, submitted, uploadPhoto } from './products.ts';

const { products } = schema;

export const nothing: Cleaned = {
  cleaned_products: 0,
  deleted_images: 0,
  archived_products: 0,
  orphaned_files: 0,
  held_files: 0,
};

/** Builds products that a cleanup will take, and inspects what remains of them. */
export function cleanupCases(
  market: TestApp,
  { seller, admin }: { seller: Person; admin: Person },
) {
  const asJob = () => market.job('cleanup-expired-products');
  const files = () => [...market.storage.files.keys()].sort();
  const exists = async (id: string) =>
    (await market.db.$count(products, eq(products.id, id))) === 1;
  const change = (id: string, columns: Partial<typeof products.$inferInsert>) =>
    market.db.update(products).set(columns).where(eq(products.id, id));
  const drawCards = async (id: string) => {
    for (const key of cardKeys(id)) await market.storage.put(key, new Uint8Array(8), 'image/jpeg');
  };

  /** Creates a product whose listing just ended, with photo, AVIF files and share cards. */
  async function ended(owner = seller): Promise<string> {
    const images = [await uploadPhoto(market, owner, await jpeg(400))];
    const { id } = await live(market, owner, admin, { durationHours: 24, images });
    await refinePhotos(asJob());
    await drawCards(id);
    market.clock.advance({ hours: 24 });
    await runQueue(market);
    expect((await productRow(market, id)).listing?.endedAt).toEqual(market.clock.now());
    return id;
  }
  async function rejected(): Promise<string> {
    const { id } = await submitted(market, seller);
    await change(id, { status: 'rejected', rejectedAt: market.clock.now(), rejectedReason: 'x' });
    return id;
  }
  async function removed(): Promise<string> {
    const { id } = await approved(market, seller, admin);
    await removeFromQueue(await market.ctx(admin), id);
    return id;
  }
  async function around(limit: Span, early: () => Promise<unknown>, due: () => Promise<unknown>) {
    market.clock.advance(limit);
    market.clock.advance({ seconds: -1 });
    await early();
    market.clock.advance({ seconds: 1 });
    await due();
  }

  return { asJob, files, exists, change, drawCards, ended, rejected, removed, around };
}
