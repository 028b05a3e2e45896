import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { latestListing } from '../../api/listings/reads.ts';
import { type Approved, approve } from '../../api/products/review/approve.ts';
import type { Submission } from '../../api/products/schema.ts';
import { type Submitted, submit } from '../../api/products/submit.ts';
import { processQueue } from '../../api/slots/fill.ts';
import { receivePhoto } from '../../api/uploads/receive.ts';
import { schema } from '../../db/client.ts';
import type { Person } from './actors.ts';
import type { TestApp } from './app.ts';
import { jpeg } from './photos.ts';

/** A complete submission of the wizard without photos. */
export function draft(overrides: Partial<Submission> = {}): Submission {
  return {
    name: { en: 'Samsung Galaxy A14', fr: 'Samsung Galaxy A14, comme neuf' },
    description: {
      en: 'Bought in March, with box and charger.',
      fr: 'Acheté en mars, avec boîte et chargeur.',
    },
    category: 'electronics',
    price: 65_000,
    durationHours: 72,
    listingType: 'standard',
    images: [],
    sellerName: 'Ngo Biyong',
    sellerWhatsapp: '+237699001234',
    sellerLocation: 'Douala, Littoral',
    paymentMethod: 'mtn_momo',
    ...overrides,
  };
}

/** The same as a browser sends it, with the number as typed. */
export const draftJson = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...draft(),
  sellerWhatsapp: '+237 699 00 12 34',
  ...overrides,
});

/** Uploads a photo that waits for its product; returns its id. */
export async function uploadPhoto(
  market: TestApp,
  owner: Person,
  bytes?: Uint8Array,
  name = 'photo.jpg',
): Promise<string> {
  const { id } = await receivePhoto(await market.ctx(owner), bytes ?? (await jpeg()), name);
  return id;
}

/** Inserts a photo row without pixels; returns its id. */
export async function photoRow(market: TestApp, { userId }: Person): Promise<string> {
  const key = `products/x-${randomUUID()}`;
  const image = { key, width: 1, height: 1, widths: [1], colour: '#ffffff' };
  const [row] = await market.db
    .insert(schema.uploads)
    .values({ key, ownerId: userId, image, bytes: 1, createdAt: market.clock.now() })
    .returning();
  return row?.id ?? '';
}

/** Submits a product for review, with the seller's own number. */
export async function submitted(
  market: TestApp,
  seller: Person,
  overrides: Partial<Submission> = {},
  key?: string,
): Promise<Submitted> {
  const images = overrides.images ?? [await uploadPhoto(market, seller)];
  return submit(
    await market.ctx(seller),
    draft({ sellerName: seller.name, sellerWhatsapp: seller.whatsapp, ...overrides, images }),
    key,
  );
}

export async function approved(
  market: TestApp,
  seller: Person,
  admin: Person,
  overrides: Partial<Submission> = {},
): Promise<Approved> {
  const { id } = await submitted(market, seller, overrides);
  return approve(await market.ctx(admin), id);
}

export type Live = { id: string; slotId: number; endTime: Date };

/** Brings a product into a slot, after the queue before it. */
export async function live(
  market: TestApp,
  seller: Person,
  admin: Person,
  overrides: Partial<Submission> = {},
): Promise<Live> {
  const { id } = await approved(market, seller, admin, overrides);
  await processQueue(market.job('process-queue'));
  const slot = await slotOf(market, id);
  if (!slot?.endTime) throw new Error('There was no empty slot for the product');
  return { id, slotId: slot.id, endTime: slot.endTime };
}

export async function slotOf(market: TestApp, productId: string) {
  const [slot] = await market.db
    .select()
    .from(schema.slots)
    .where(eq(schema.slots.productId, productId));
  return slot;
}

export async function productRow(market: TestApp, productId: string) {
  const [row] = await market.db
    .select()
    .from(schema.products)
    .where(eq(schema.products.id, productId));
  if (!row) throw new Error(`There is no product ${productId}`);
  return { ...row, listing: await latestListing(market, productId) };
}

export async function queueRows(market: TestApp) {
  const { queueItems: q } = schema;
  return market.db.select().from(q).orderBy(q.queueName, q.band, q.position);
}

export const runQueue = (market: TestApp) => processQueue(market.job('process-queue'));
