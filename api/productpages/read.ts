import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Bilingual, type Language, languages } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { publicRows, standingOf } from '../listings/standing.ts';
import { shareCardUrl } from '../sharecards/face.ts';
import { type HomepageSlot, publicSlot } from '../slots/reads.ts';
import { type PublicImage, presentImage } from '../uploads/present.ts';

/** Absolute URLs of the share card by language; they change with its content. */
type ShareCard = Record<Language, string>;
/** Content of a product's canonical page (product R10). */
export type PublicProduct = { shareCard: ShareCard } & (
  | { state: 'live' | 'expired'; slot: HomepageSlot }
  | { state: 'paused'; slotId: number; name: Bilingual | null }
  | {
      state: 'ended' | 'sold' | 'withdrawn' | 'waiting';
      name: Bilingual | null;
      description: Bilingual | null;
      image: PublicImage | null;
    }
);

/**
 * Product by slug for its canonical page (product R7, R10); undefined if the public must not find
 * it. Has neither phone number nor seller's name.
 */
export async function publicProduct(
  ctx: Ctx,
  slug: string,
  looks = 2,
): Promise<PublicProduct | undefined> {
  const [row] = await publicRows(ctx, eq(schema.products.slug, slug));
  const state = row && standingOf(row, ctx.now());
  if (!row || !state) return undefined;
  const shareCard = Object.fromEntries(
    languages.map((language) => [language, shareCardUrl(ctx, row, state, language)]),
  ) as ShareCard;
  if (state === 'live' || state === 'expired') {
    const slot = await publicSlot(ctx, row.slotId ?? 0);
    if (slot?.product_id === row.id) return { state, slot, shareCard };
    // The listing ended between the two reads: read once more.
    return looks > 1 ? publicProduct(ctx, slug, looks - 1) : undefined;
  }
  if (state === 'paused') return { state, slotId: row.slotId ?? 0, name: row.name, shareCard };
  const cover = row.imagesDeletedAt ? undefined : row.images[0];
  return {
    state,
    name: row.name,
    description: row.description,
    image: cover ? presentImage(cover) : null,
    shareCard,
  };
}
