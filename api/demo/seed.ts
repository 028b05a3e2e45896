import { createHash } from 'node:crypto';
import { and, count, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { type Db, schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import {
  type IncompleteListing,
  incompleteListings,
  listings,
  type SeedListing,
  type SeedSeller,
  sellers,
} from '../../db/seed/listings.ts';
import { type PictureName, pictures } from '../../db/seed/pictures/index.ts';
import { marketName } from '../../locales/index.ts';
import type { Auth } from '../auth/auth.ts';
import { createAccount, hashPassword } from '../auth/create.ts';
import type { Services, Tx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { currentVersion } from '../legal/version.ts';
import { endOverdue } from '../listings/end.ts';
import { enqueue } from '../listings/enqueue.ts';
import { isLive } from '../listings/live.ts';
import { lockLanes } from '../listings/locks.ts';
import { openListing } from '../listings/open.ts';
import { isLatest } from '../listings/reads.ts';
import { feeReferenceOf, laneOf, listingFee } from '../listings/rules.ts';
import { startListings } from '../listings/start.ts';
import { placeOf } from '../products/place.ts';
import { keepShopSlug } from '../sellers/slugs.ts';
import { dayKey } from '../shared/format.ts';
import { regionOf } from '../shared/places/regionOf.ts';
import { isPremium, premiumCount, slotCount } from '../shared/slots.ts';
import { slugOf } from '../shared/slugs/slug.ts';
import { storePhoto } from '../uploads/files.ts';
import { createMembers, seedConnect } from './connect.ts';
import { demoContext } from './context.ts';
import { type Shown, seedHistory, seedReports } from './history.ts';

type Host = { db: Db; services: Services; now: () => Date };
const demoPassword = 'marche54-demo';
const minute = 60_000;
const hour = 3_600_000;

/** Stable ids, so that a later start finds its listings. */
function idOf(key: string): string {
  const hex = createHash('sha256').update(`demo:${key}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Fills an empty demo (product R0). Later starts only reopen the market if most listings have
 * ended.
 */
export async function seedDemo(
  host: Host,
  auth: Auth,
): Promise<{ sellerEmail: string; sellerPassword: string }> {
  const first = sellers.find(
    (seller) => !seller.suspended && seller.whatsapp && seller.location,
  ) as SeedSeller;
  const answer = { sellerEmail: first.email, sellerPassword: demoPassword };
  const [known] = await host.db
    .select({ id: schema.sellers.id })
    .from(schema.sellers)
    .where(eq(schema.sellers.email, first.email));
  if (known) {
    await reopenMarket(host);
    return answer;
  }
  const photos = await drawAll(host);
  const userIds = new Map<string, string>();
  const passwordHash = await hashPassword({ ...demoContext(host), auth }, demoPassword);
  await inTransaction(demoContext(host), async (ctx) => {
    const { db } = ctx;
    const agreed = { to: (await currentVersion(ctx)).id, at: host.now() };
    for (const { key, email, name } of sellers)
      userIds.set(
        key,
        (await createAccount({ ...ctx, auth }, { email, name, passwordHash, agreed })).id,
      );
    for (const [key, id] of await createMembers({ ...ctx, auth }, passwordHash))
      userIds.set(key, id);
    const now = host.now();
    for (const seller of sellers) {
      await db.insert(schema.sellers).values({
        id: idOf(`seller:${seller.key}`),
        userId: userIds.get(seller.key) ?? null,
        name: seller.name,
        email: seller.email,
        whatsapp: seller.whatsapp,
        location: seller.location,
        region: regionOf(seller.location) ?? null,
        businessName: seller.businessName,
        verified: seller.verified !== null,
        verifiedBy: seller.verified,
        verifiedAt: seller.verified ? now : null,
        verifiedWhatsapp: seller.verified ? seller.whatsapp : null,
        suspended: seller.suspended !== undefined,
        suspendedReason: seller.suspended ?? null,
        suspendedAt: seller.suspended ? now : null,
        createdAt: new Date(now.getTime() - 40 * 24 * hour),
      });
      await keepShopSlug(ctx, idOf(`seller:${seller.key}`), seller.businessName);
    }
    const operator = { number: '+237 954 000 000', payee: `${marketName()} (demo)` };
    await db.insert(schema.settings).values([
      { key: 'contactNumber', value: '+237954000000' },
      {
        key: 'payees',
        value: {
          mtn_momo: operator,
          orange_money: operator,
          cash: { number: '', payee: operator.payee },
        },
      },
      { key: 'xafPerUsd', value: 600 },
      { key: 'xafPerUsdFrom', value: dayKey(new Date(now.getTime() - 40 * 24 * hour)) },
    ]);
    const free = { featured: range(1, premiumCount), standard: range(premiumCount + 1, slotCount) };
    for (const listing of listings)
      if (listing.state.kind === 'live' && listing.state.slot)
        take(free[listing.listingType], seedSlot(listing, listing.state.slot));
    const shown: Shown[] = [];
    for (const [index, listing] of listings.entries()) {
      const stall = await insertListing(ctx, listing, photos, free, index);
      if (stall) shown.push(stall);
    }
    const gone = listings.filter(({ state }) => state.kind === 'ended').map(({ key }) => idOf(key));
    await seedHistory(db, now, shown, gone);
    await seedReports(db, now, shown);
    for (const [index, row] of incompleteListings.entries())
      await insertIncomplete(ctx, row, photos, index);
    await seedConnect(ctx, userIds);
  });
  return answer;
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
/** A stall's number from its place in its lane. */
const seedSlot = ({ listingType }: SeedListing, place: number) =>
  listingType === 'featured' ? place : premiumCount + place;
function take(list: number[], value: number): void {
  const at = list.indexOf(value);
  if (at >= 0) list.splice(at, 1);
}
const pictureKey = (listing: string, picture: { name: string; variant: number }) =>
  `${listing}/${picture.name}/${picture.variant}`;

async function drawAll(host: Host): Promise<Map<string, StoredImage>> {
  const wanted = [...listings, ...incompleteListings].flatMap((listing) =>
    (listing.pictures ?? []).map((picture) => ({
      key: pictureKey(listing.key, picture),
      ...picture,
    })),
  );
  const photos = new Map<string, StoredImage>();
  const next = wanted.values();
  // One more than processes, so none waits for a file to be written.
  const worker = async () => {
    for (const { key, name, variant } of next) {
      const prepared = await host.services.pictures.drawing(
        pictures[name as PictureName](variant),
        1080,
      );
      photos.set(key, (await storePhoto(host, prepared)).image);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  return photos;
}

async function keepUploads(
  db: Db,
  productId: string,
  images: StoredImage[],
  createdAt: Date,
): Promise<void> {
  if (images.length === 0) return;
  await db
    .insert(schema.uploads)
    .values(images.map((image) => ({ key: image.key, productId, image, bytes: 0, createdAt })));
}

type SeedCtx = ReturnType<typeof demoContext>;

async function insertListing(
  ctx: Tx,
  listing: SeedListing,
  photos: Map<string, StoredImage>,
  free: { featured: number[]; standard: number[] },
  index: number,
): Promise<Shown | undefined> {
  const { db } = ctx;
  const now = ctx.now();
  const id = idOf(listing.key);
  const seller = sellers.find((candidate) => candidate.key === listing.seller) as SeedSeller;
  const state = listing.state;
  const approved = state.kind === 'live' || state.kind === 'queued' || state.kind === 'ended';
  const images = listing.pictures.map(
    (picture) => photos.get(pictureKey(listing.key, picture)) as StoredImage,
  );
  const startedAt =
    state.kind === 'live'
      ? new Date(now.getTime() - state.startedHoursAgo * hour)
      : state.kind === 'ended'
        ? new Date(now.getTime() - state.daysAgo * 24 * hour - listing.durationHours * hour)
        : null;
  const endedAt =
    state.kind === 'ended' ? new Date(now.getTime() - state.daysAgo * 24 * hour) : null;
  const createdAt = new Date((startedAt ?? now).getTime() - (2 + (index % 7)) * hour);
  await db.insert(schema.products).values({
    id,
    slug: slugOf(listing.name.en, listing.category, id),
    sellerId: idOf(`seller:${listing.seller}`),
    name: listing.name,
    description: listing.description,
    images,
    price: listing.price,
    ...placeOf(`${listing.city}, ${listing.region}`),
    businessName: seller.businessName,
    sellerName: seller.name,
    sellerWhatsapp: seller.whatsapp,
    status: approved ? 'approved' : state.kind === 'rejected' ? 'rejected' : 'pending',
    approvedAt: approved ? (startedAt ?? createdAt) : null,
    rejectedAt: state.kind === 'rejected' ? now : null,
    rejectedReason: state.kind === 'rejected' ? state.reason.en : null,
    listingType: listing.listingType,
    durationSeconds: listing.durationHours * 3600,
    preferredFeaturedSlot: listing.preferredSlot ?? null,
    category: listing.category,
    condition: listing.condition ?? null,
    paymentMethod: listing.paymentMethod,
    soldAt: state.kind === 'ended' && state.sold ? endedAt : null,
    createdAt,
    updatedAt: createdAt,
  });
  await keepUploads(db, id, images, createdAt);
  const slotId =
    state.kind === 'live'
      ? state.slot
        ? seedSlot(listing, state.slot)
        : free[listing.listingType].shift()
      : undefined;
  const due = index % 3 === 0;
  await db.insert(schema.listings).values({
    productId: id,
    number: 1,
    openedAt: createdAt,
    slotId: slotId ?? null,
    startedAt,
    durationSeconds: startedAt && listing.durationHours * 3600,
    endedAt,
    endReason: state.kind === 'ended' ? (state.sold ? 'sold' : 'time') : null,
    fee: listingFee(listing.durationHours, listing.listingType),
    feeState: due ? 'due' : 'paid',
    feeMarkedAt: due ? null : createdAt,
    feeReference: feeReferenceOf(id),
  });
  if (state.kind === 'queued') await enqueue(ctx, id, 'approved');
  if (state.kind !== 'live' || !startedAt) return undefined;
  if (slotId === undefined) throw new Error(`No slot is left for the demo listing ${listing.key}`);
  await openSlot(db, slotId, id, startedAt, new Date(now.getTime() + state.endsInMinutes * minute));
  const seen = 12 + ((index * 37) % 240);
  await db
    .update(schema.slotEngagement)
    .set({
      views: seen,
      clicks: Math.round(seen / 4),
      messageTaps: Math.round(seen / 15),
      shares: Math.round(seen / 30),
    })
    .where(eq(schema.slotEngagement.slotId, slotId));
  return { slotId, productId: id, startedAt, views: seen };
}

async function insertIncomplete(
  ctx: SeedCtx,
  row: IncompleteListing,
  photos: Map<string, StoredImage>,
  index: number,
): Promise<void> {
  const id = idOf(row.key);
  const images = row.pictures.map(
    (picture) => photos.get(pictureKey(row.key, picture)) as StoredImage,
  );
  const createdAt = new Date(ctx.now().getTime() - (80 + index) * 24 * hour);
  const known = (text: { en: string | null; fr: string | null }) =>
    Object.fromEntries(Object.entries(text).filter(([, value]) => value !== null));
  await ctx.db.insert(schema.products).values({
    id,
    slug: slugOf(row.name.en, row.category, id),
    sellerId: idOf(`seller:${row.seller}`),
    name: known(row.name),
    description: known(row.description),
    images,
    price: row.price,
    city: row.city,
    region: row.region,
    regionCode: regionOf(row.city, row.region) ?? null,
    sellerName: sellers.find((seller) => seller.key === row.seller)?.name ?? null,
    sellerWhatsapp: row.sellerWhatsapp,
    category: row.category,
    listingType: row.listingType,
    durationSeconds: row.durationHours && row.durationHours * 3600,
    paymentMethod: row.paymentMethod,
    status: 'pending',
    createdAt,
    updatedAt: createdAt,
  });
  await ctx.db.insert(schema.listings).values({ productId: id, number: 1, openedAt: createdAt });
  await keepUploads(ctx.db, id, images, createdAt);
}

async function openSlot(
  db: Db,
  slotId: number,
  productId: string,
  startTime: Date,
  endTime: Date,
): Promise<void> {
  await db
    .update(schema.slots)
    .set({ active: true, productId, startTime, endTime, updatedAt: startTime })
    .where(and(eq(schema.slots.id, slotId), eq(schema.slots.active, false)));
}

/** Relists seeded products once few stalls are open; never touches people's own. */
async function reopenMarket(host: Host): Promise<void> {
  const { slots, products, listings: rows } = schema;
  await inTransaction(demoContext(host), async (tx) => {
    const [live] = await tx.db.select({ count: count() }).from(slots).where(isLive(tx.now()));
    if ((live?.count ?? 0) >= 15) return;
    await lockLanes(tx);
    await endOverdue(tx);
    const seeded = new Map(
      listings
        .filter((listing) => listing.state.kind === 'live')
        .map((listing) => [idOf(listing.key), listing]),
    );
    const ended = await tx.db
      .select({
        id: products.id,
        listingType: products.listingType,
        durationSeconds: products.durationSeconds,
      })
      .from(products)
      .innerJoin(rows, isLatest)
      .where(
        and(
          inArray(products.id, [...seeded.keys()]),
          isNotNull(rows.endedAt),
          isNull(products.soldAt),
          isNull(products.withdrawnAt),
          isNull(products.removedAt),
        ),
      );
    const empty = (
      await tx.db
        .select({ id: slots.id })
        .from(slots)
        .where(eq(slots.active, false))
        .orderBy(slots.id)
    ).map((slot) => slot.id);
    for (const product of ended) {
      const listing = seeded.get(product.id);
      const slotId = empty.find(
        (id) => isPremium(id) === (laneOf(product.listingType) === 'queue:featured'),
      );
      if (listing?.state.kind !== 'live' || slotId === undefined) continue;
      take(empty, slotId);
      await openListing(tx, product);
      await startListings(
        tx,
        [{ productId: product.id, slotId, seconds: listing.state.endsInMinutes * 60 }],
        'turn',
      );
    }
  });
}
