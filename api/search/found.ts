import { inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Bilingual } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { type HomepageSlot, homepageProducts } from '../slots/reads.ts';
import { type PublicImage, presentImage } from '../uploads/present.ts';
import { type Found, type FoundState, searchMarket } from './market.ts';
import type { Given } from './rules.ts';

/** A listing that is not in the market now; it cannot be contacted. */
type Past = {
  slug: string;
  slotId: number | null;
  name: Bilingual | null;
  image: PublicImage | null;
  price: number | null;
  city: string | null;
  region: string | null;
};
export type Result =
  | { state: 'live'; stall: HomepageSlot }
  | { state: Exclude<FoundState, 'live'>; past: Past };
export type Presented = Result & { id: string };

/** {@link searchMarket} with what a card shows of each result. */
export async function searchResults(ctx: Ctx, given: Given) {
  const { items, ...found } = await searchMarket(ctx, given);
  return { ...found, results: await presentFound(ctx, items) };
}

/** What a card shows of each; listings that are gone meanwhile are left out. */
export async function presentFound(ctx: Ctx, items: readonly Found[]): Promise<Presented[]> {
  const live = items.some(({ state }) => state === 'live') ? await homepageProducts(ctx) : [];
  const stalls = new Map(live.map((stall) => [stall.product_id, stall]));
  const past = await pastOf(
    ctx,
    items.filter(({ state }) => state !== 'live'),
  );
  return items.flatMap(({ id, state }): Presented[] => {
    const stall = stalls.get(id);
    if (state === 'live') return stall?.slot_active ? [{ id, state, stall }] : [];
    const listing = past.get(id);
    return listing ? [{ id, state, past: listing }] : [];
  });
}

async function pastOf({ db }: Ctx, items: readonly Found[]): Promise<Map<string, Past>> {
  const { products: p } = schema;
  if (items.length === 0) return new Map();
  const slots = new Map(items.map(({ id, slotId }) => [id, slotId]));
  const rows = await db
    .select({
      id: p.id,
      slug: p.slug,
      name: p.name,
      images: p.images,
      imagesDeletedAt: p.imagesDeletedAt,
      price: p.price,
      city: p.city,
      region: p.region,
    })
    .from(p)
    .where(inArray(p.id, [...slots.keys()]));
  return new Map(
    rows.map(({ id, images, imagesDeletedAt, ...row }) => {
      const cover = imagesDeletedAt ? undefined : images[0];
      return [
        id,
        { ...row, slotId: slots.get(id) ?? null, image: cover ? presentImage(cover) : null },
      ];
    }),
  );
}
