import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Ctx } from '../../api/core/context.ts';
import { feeReferenceOf, listingFee } from '../../api/listings/rules.ts';
import { readEnv } from '../../api/ops/env.ts';
import { diskStorage } from '../../api/ops/storage.ts';
import { createServices } from '../../api/services.ts';
import { slotCount } from '../../api/shared/slots.ts';
import { slugOf } from '../../api/shared/slugs/slug.ts';
import { storePhoto } from '../../api/uploads/files.ts';
import { type PreparedPhoto, preparePhoto } from '../../api/uploads/images.ts';
import { photoKey } from '../../api/uploads/names.ts';
import { refinePhotos } from '../../api/uploads/refine.ts';
import { type Db, schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { listings, sellers } from '../../db/seed/listings.ts';
import { photoFixture } from './photos.ts';

/**
 * Services of a market in a data folder: production-like, for the addresses in the HTML; they send
 * nothing. Limits per address are lifted, since a load comes from one.
 */
export const fillingServices = (dataDir: string) => ({
  ...createServices(
    readEnv({
      NODE_ENV: 'test',
      DEMO: '0',
      LOAD_LIMITS: '10000',
      SMTP_URL: 'smtp://127.0.0.1:9',
      PUBLIC_URL: 'https://marche54.cm',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
    }),
    'a key that signs nothing outside of this run',
  ),
  storage: diskStorage(join(dataDir, 'uploads')),
});

export type Filling = { db: Db; now: () => Date };

/**
 * Different photos. Products share bytes but not addresses: a browser loads an address only once.
 */
const pictures = 9;

/**
 * A photo's entry without files, to weigh HTML only; its name is as long and random as a real one.
 */
export function imageWithoutFiles(now: Date, index: number): StoredImage {
  const colour = `#${randomBytes(3).toString('hex')}`;
  return {
    key: photoKey(now),
    width: 1280,
    height: 960,
    widths: [320, 720, 1280],
    colour,
    ...(index % 9 === 8 ? {} : { avif: [320, 720] }),
  };
}

/** Opens all stalls with the demo's texts, of realistic length; ends spread over five days. */
export async function fillMarket(
  { db, now }: Filling,
  imageOf: (index: number) => StoredImage[],
): Promise<{ slotId: number; productId: string; slug: string }[]> {
  const start = now();
  const sellerIds = new Map<string, string>();
  for (const { key, name, email, whatsapp, location, businessName, verified } of sellers) {
    const values = {
      name,
      email: `bench-${email}`,
      whatsapp,
      location,
      businessName,
      verified: verified !== null,
      verifiedBy: verified,
      verifiedAt: verified ? start : null,
      verifiedWhatsapp: verified ? whatsapp : null,
    };
    const [row] = await db
      .insert(schema.sellers)
      .values(values)
      .returning({ id: schema.sellers.id });
    if (row) sellerIds.set(key, row.id);
  }
  const featured = listings.filter(({ listingType }) => listingType === 'featured').slice(0, 10);
  const others = listings.filter((listing) => !featured.includes(listing));
  return db.transaction(async (tx) => {
    const made: { slotId: number; productId: string; slug: string }[] = [];
    for (let slotId = 1; slotId <= slotCount; slotId++) {
      const listing = [...featured, ...others][slotId - 1];
      if (!listing) throw new Error('The demo has fewer than 54 listings');
      const id = randomUUID();
      const slug = slugOf(listing.name.en, listing.category, id);
      const listingType = slotId <= 10 ? 'featured' : 'standard';
      const startTime = new Date(start.getTime() - 3_600_000 - slotId * 60_000);
      const endTime = new Date(
        start.getTime() + (2 + ((slotId * 37) % 110)) * 3_600_000 + slotId * 61_000,
      );
      await tx.insert(schema.products).values({
        id,
        slug,
        sellerId: sellerIds.get(listing.seller) ?? null,
        name: listing.name,
        description: listing.description,
        images: imageOf(slotId - 1),
        price: listing.price,
        city: listing.city,
        region: listing.region,
        sellerLocation: `${listing.city}, ${listing.region}`,
        status: 'approved',
        approvedAt: startTime,
        listingType,
        durationSeconds: Math.round((endTime.getTime() - startTime.getTime()) / 1000),
        category: listing.category,
        paymentMethod: listing.paymentMethod,
        createdAt: startTime,
        updatedAt: startTime,
      });
      await tx.insert(schema.listings).values({
        productId: id,
        number: 1,
        openedAt: startTime,
        slotId,
        startedAt: startTime,
        durationSeconds: Math.round((endTime.getTime() - startTime.getTime()) / 1000),
        fee: listingFee(listing.durationHours, listingType),
        feeState: 'paid',
        feeMarkedAt: startTime,
        feeReference: feeReferenceOf(id),
      });
      await tx
        .update(schema.slots)
        .set({ active: true, productId: id, startTime, endTime })
        .where(eq(schema.slots.id, slotId));
      made.push({ slotId, productId: id, slug });
    }
    return made;
  });
}

/**
 * The same market with photos in storage, prepared by the product's own code: two for every third
 * product.
 * @param upTo number of stalls whose photos have files; the others only name theirs
 */
export async function fillMarketWithPhotos(
  ctx: Ctx,
  upTo = slotCount,
): ReturnType<typeof fillMarket> {
  const prepared: PreparedPhoto[] = [];
  for (let seed = 1; seed <= Math.min(pictures, upTo / 4); seed++)
    prepared.push(
      await preparePhoto(ctx.services, new Uint8Array(await photoFixture(seed)), `fixture ${seed}`),
    );
  const images: StoredImage[][] = [];
  for (let index = 0; index < slotCount; index++) {
    const own: StoredImage[] = index < upTo ? [] : [imageWithoutFiles(ctx.now(), index)];
    for (let n = 0; index < upTo && n < (index % 3 === 0 ? 2 : 1); n++) {
      const photo = prepared[(index + n) % prepared.length];
      if (photo) own.push((await storePhoto(ctx, photo)).image);
    }
    images.push(own);
  }
  const made = await fillMarket(ctx, (index) => images[index] ?? []);
  while ((await refinePhotos(ctx, { budgetMs: 60_000 })) > 0);
  return made;
}
