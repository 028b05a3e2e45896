import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, lt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx, SellerOfActor } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import { limits, submission } from '../products/schema.ts';
import { type Submitted, submit } from '../products/submit.ts';
import { Refusal } from '../shared/errors.ts';
import { judged } from '../shared/validated.ts';
import { type PublicImage, presentImage } from '../uploads/present.ts';
import { type Answers, draftLifeMs, emptyAnswers, toSubmission } from './rules.ts';
import type { KeptAnswers, KeptDraft } from './schema.ts';

const { productDrafts: d, uploads, idempotencyKeys } = schema;
type Row = typeof d.$inferSelect;

/** A seller's draft with the photos that still exist. `updatedAt` is its version. */
export type Draft = {
  key: string;
  answers: KeptAnswers;
  photos: { id: string; image: PublicImage }[];
  updatedAt: string;
};

/** Per account: the form writes once per step, a chat once per answer. */
const writesAnHour = 600;

/** One's own draft; no other can be read (product R19). */
export async function ownDraft(ctx: Ctx): Promise<{ draft: Draft | null }> {
  const { userId } = requireSeller(ctx);
  const [row] = await ctx.db.select().from(d).where(eq(d.userId, userId));
  return { draft: row ? await present(ctx, row) : null };
}

async function present(ctx: Ctx, { userId, key, answers, photos, updatedAt }: Row): Promise<Draft> {
  const images = await waiting(ctx, userId, photos);
  return {
    key,
    answers: answers as KeptAnswers,
    photos: photos.flatMap((id) => images.get(id) ?? []),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Keeps only the account's own photos that no product uses. */
async function waiting({ db }: Ctx, userId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Draft['photos'][number]>();
  const rows = await db
    .select({ id: uploads.id, image: uploads.image })
    .from(uploads)
    .where(
      and(inArray(uploads.id, [...ids]), eq(uploads.ownerId, userId), isNull(uploads.productId)),
    );
  return new Map(rows.map(({ id, image }) => [id, { id, image: presentImage(image) }]));
}

const locked = async ({ db }: Ctx, userId: string): Promise<Row | undefined> =>
  (await db.select().from(d).where(eq(d.userId, userId)).for('update'))[0];

/** Always later than the previous version, even if the clock went back. */
const nextVersion = ({ now }: Ctx, row: Row | undefined) =>
  new Date(Math.max(now().getTime(), (row?.updatedAt.getTime() ?? 0) + 1));

/**
 * Saves a device's draft. Refuses `drafts.changed` if another device or chat wrote a version this
 * one has not seen, `drafts.submitted` if it became a product, `tooManyRequests`.
 */
export async function keepDraft(
  ctx: Ctx,
  { key, seen, answers, photos }: KeptDraft,
): Promise<{ updatedAt: string }> {
  const { userId } = requireSeller(ctx);
  await countAttempt(ctx, `drafts:${userId}`, writesAnHour, 3600, 'tooManyRequests');
  return inTransaction(ctx, async (tx) => {
    const row = await locked(tx, userId);
    if (row && row.updatedAt.toISOString() !== (seen && new Date(seen).toISOString()))
      throw new Refusal('drafts.changed');
    const submitted = await tx.db.$count(
      idempotencyKeys,
      and(eq(idempotencyKeys.owner, userId), eq(idempotencyKeys.key, key)),
    );
    if (submitted > 0) throw new Refusal('drafts.submitted');
    const images = await waiting(tx, userId, photos);
    const updatedAt = nextVersion(tx, row);
    const kept = {
      key,
      answers: answers as Row['answers'],
      photos: [...new Set(photos)].filter((id) => images.has(id)),
      updatedAt,
    };
    if (row) await tx.db.update(d).set(kept).where(eq(d.userId, userId));
    // Of two devices that start at once, the second has not seen the first's draft.
    else if (
      (
        await tx.db
          .insert(d)
          .values({ userId, ...kept })
          .onConflictDoNothing()
          .returning()
      ).length === 0
    )
      throw new Refusal('drafts.changed');
    return { updatedAt: updatedAt.toISOString() };
  });
}

/** A chat's change: answers, and a photo to add or remove. */
export type Change = { answers?: KeptAnswers; add?: string; remove?: string };

/**
 * Changes one's draft, creating it if needed. Refuses `validation` for a sixth photo,
 * `uploads.notFound` for another's, `tooManyRequests`.
 */
export async function changeDraft(ctx: Ctx, { answers = {}, add, remove }: Change): Promise<Draft> {
  const { userId } = requireSeller(ctx);
  await countAttempt(ctx, `drafts:${userId}`, writesAnHour, 3600, 'tooManyRequests');
  return inTransaction(ctx, async (tx) => {
    await tx.db
      .insert(d)
      .values({ userId, key: randomUUID(), answers: {}, photos: [], updatedAt: tx.now() })
      .onConflictDoNothing();
    const row = (await locked(tx, userId)) as Row;
    const there = await waiting(tx, userId, add ? [...row.photos, add] : row.photos);
    if (add && !there.has(add)) throw new Refusal('uploads.notFound');
    const photos = [
      ...row.photos.filter((id) => id !== add && id !== remove && there.has(id)),
      ...(add ? [add] : []),
    ];
    if (photos.length > limits.images.max)
      throw new Refusal('validation', {}, [
        { path: 'images', code: 'imagesTooMany', params: { min: 0, max: limits.images.max } },
      ]);
    const changed = {
      answers: { ...row.answers, ...answers } as Row['answers'],
      photos,
      updatedAt: nextVersion(tx, row),
    };
    await tx.db.update(d).set(changed).where(eq(d.userId, userId));
    return present(tx, { ...row, ...changed });
  });
}

/** Deletes one's draft if it still has this key; the cleanup of uploads removes its photos. */
export async function discardDraft(ctx: Ctx, key: string): Promise<{ discarded: true }> {
  const { userId } = requireSeller(ctx);
  await ctx.db.delete(d).where(and(eq(d.userId, userId), eq(d.key, key)));
  return { discarded: true };
}

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

/**
 * Submits one's draft; the draft's key makes a second device get the same product. Refuses
 * `notFound` without a draft, `validation`, and as {@link submit} does.
 */
export async function submitDraft(ctx: Ctx): Promise<Submitted> {
  const { userId, ...seller } = requireSeller(ctx);
  return inTransaction(ctx, async (tx) => {
    const row = await locked(tx, userId);
    if (!row) throw new Refusal('notFound');
    const { photos, answers } = await present(tx, row);
    const given = toSubmission(
      answersOf(seller, answers),
      photos.map(({ id }) => id),
    );
    const product = judged(
      submission,
      tx.actor.kind === 'admin' ? { ...given, sellerId: seller.id } : given,
    );
    return submit(tx, product, row.key);
  });
}

/** Deletes drafts untouched for thirty days. Returns how many. */
export async function forgetDrafts(ctx: Ctx): Promise<number> {
  const gone = await ctx.db
    .delete(d)
    .where(lt(d.updatedAt, new Date(ctx.now().getTime() - draftLifeMs)))
    .returning({ key: d.key });
  return gone.length;
}
