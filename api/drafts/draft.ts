import { and, eq, inArray, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx, SellerOfActor } from '../core/context.ts';
import { type PublicImage, presentImage } from '../uploads/present.ts';
import { type Answers, emptyAnswers } from './rules.ts';
import type { KeptAnswers } from './schema.ts';

const { productDrafts: d, uploads } = schema;

export type Row = typeof d.$inferSelect;

/** A seller's draft with the photos that still exist. `updatedAt` is its version. */
export type Draft = {
  key: string;
  answers: KeptAnswers;
  photos: { id: string; image: PublicImage }[];
  updatedAt: string;
};

/** Per account: the form writes once per step, a chat once per answer. */
export const writesAnHour = 600;

/** One's own draft; no other can be read (product R19). */
export async function ownDraft(ctx: Ctx): Promise<{ draft: Draft | null }> {
  const { userId } = requireSeller(ctx);
  const [row] = await ctx.db.select().from(d).where(eq(d.userId, userId));
  return { draft: row ? await present(ctx, row) : null };
}

export async function present(
  ctx: Ctx,
  { userId, key, answers, photos, updatedAt }: Row,
): Promise<Draft> {
  const images = await waiting(ctx, userId, photos);
  return {
    key,
    answers: answers as KeptAnswers,
    photos: photos.flatMap((id) => images.get(id) ?? []),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Keeps only the account's own photos that no product uses. */
export async function waiting({ db }: Ctx, userId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Draft['photos'][number]>();
  const rows = await db
    .select({ id: uploads.id, image: uploads.image })
    .from(uploads)
    .where(
      and(inArray(uploads.id, [...ids]), eq(uploads.ownerId, userId), isNull(uploads.productId)),
    );
  return new Map(rows.map(({ id, image }) => [id, { id, image: presentImage(image) }]));
}

export const locked = async ({ db }: Ctx, userId: string): Promise<Row | undefined> =>
  (await db.select().from(d).where(eq(d.userId, userId)).for('update'))[0];

/** Always later than the previous version, even if the clock went back. */
export const nextVersion = ({ now }: Ctx, row: Row | undefined) =>
  new Date(Math.max(now().getTime(), (row?.updatedAt.getTime() ?? 0) + 1));

/** A chat's change: answers, and a photo to add or remove. */
export type Change = { answers?: KeptAnswers; add?: string; remove?: string };

/** Fills empty answers from the seller's profile. */
export function answersOf(seller: SellerOfActor, kept: KeptAnswers): Answers {
  const typed = Object.fromEntries(
    Object.entries(kept).filter(([, value]) => value !== undefined && value !== ''),
  ) as Partial<Answers>;
  const { name, whatsapp, location, businessName } = seller;
  const known = {
    sellerName: name,
    sellerWhatsapp: whatsapp ?? '',
    sellerLocation: location ?? '',
    businessName: businessName ?? '',
  };
  return { ...emptyAnswers, ...known, ...typed };
}
