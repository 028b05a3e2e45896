import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Bilingual, type Language, languages } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { publicRows, standingOf } from '../listings/standing.ts';
import { type PublicImage, presentImage } from '../products/present.ts';
import { shareCardUrl } from '../sharecards/face.ts';
import { type HomepageSlot, publicSlot } from './reads.ts';

/** The addresses of a product's share card, absolute, in each language; they change with what the card shows. */
type ShareCard = Record<Language, string>;
/** What a product's canonical page says (product R10). Names may be missing: the page has the specified fallbacks. */
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
 * A product by its slug, as its canonical page shows it (product R7, R10): in its slot, paused, or gone from the market since. Nothing
 * when the public must not find it: never live, under review, rejected, removed, or of a suspended seller. Never a number or a seller's name.
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
    // Between the two reads the listing ended: where the product stands now is read again.
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
