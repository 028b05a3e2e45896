import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { photoFile } from '../uploads/names.ts';
import { keeps, looksLikeAnotherMarkets } from './rules.ts';

/** The names that this market gives its files (photos: `photoFile`); what is called otherwise was put there by somebody else and is none of our business. */
const cardName =
  /^products\/card-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-[a-z]{2}\.jpg(?:\.part)?$/;
const probeName = /^products\/health-[0-9a-f-]{36}\.txt(?:\.part)?$/;

/** What a file belongs to: a photo by its key, a product's share card by the product's id, or a health check that was cut short. */
function ownerOf(key: string): { photo?: string; card?: string; probe?: true } | undefined {
  const photo = photoFile.exec(key)?.[1];
  if (photo) return { photo };
  const card = cardName.exec(key)?.[1];
  if (card) return { card };
  return probeName.test(key) ? { probe: true } : undefined;
}

/**
 * Deletes files that belong to nothing and are older than a day: derivatives of photos that went while they were made, cards of deleted
 * products, halves that a killed process left. Where most files would go, none does, since that storage is rather another market's.
 */
export async function removeOrphanedFiles(ctx: Ctx): Promise<{ removed: number; held: number }> {
  const { storage, log } = ctx.services;
  const { orphaned, all } = await orphanedFiles(ctx, keeps.orphanedFilesMs);
  if (looksLikeAnotherMarkets(orphaned.length, all)) {
    log.error('Most files of the storage belong to nothing in this database: nothing is deleted', {
      files: all,
      orphaned: orphaned.length,
    });
    return { removed: 0, held: orphaned.length };
  }
  let removed = 0;
  for (const key of orphaned) {
    if (ctx.signal?.aborted) break;
    await storage.delete([key]);
    removed++;
  }
  return { removed, held: 0 };
}

/**
 * The files that belong to nothing and are older than so many milliseconds, and how many there are in all. The storage is listed first and the database
 * read after, so that what a row names by then is kept, whichever of both came first.
 */
export async function orphanedFiles(
  ctx: Ctx,
  olderThanMs: number,
): Promise<{ orphaned: string[]; all: number }> {
  const limit = ctx.now().getTime() - olderThanMs;
  let all = 0;
  const old: { key: string; owner: NonNullable<ReturnType<typeof ownerOf>> }[] = [];
  for await (const file of ctx.services.storage.list()) {
    all++;
    const owner = ownerOf(file.key);
    if (owner && file.modifiedAt.getTime() < limit) old.push({ key: file.key, owner });
  }
  if (old.length === 0) return { orphaned: [], all };
  const known = await whatIsKnown(ctx);
  const orphaned = old.filter(
    ({ owner }) =>
      owner.probe ||
      (owner.photo !== undefined && !known.photos.has(owner.photo)) ||
      (owner.card && !known.ids.has(owner.card)),
  );
  return { orphaned: orphaned.map(({ key }) => key), all };
}

/** Every photo that a product shows or that was uploaded, and every product. */
async function whatIsKnown(ctx: Ctx): Promise<{ photos: Set<string>; ids: Set<string> }> {
  const { products, uploads } = schema;
  const rows = await ctx.db.select({ id: products.id, images: products.images }).from(products);
  const uploaded = await ctx.db.select({ key: uploads.key }).from(uploads);
  return {
    photos: new Set([
      ...rows.flatMap(({ images }) => images.map(({ key }) => key)),
      ...uploaded.map(({ key }) => key),
    ]),
    ids: new Set(rows.map(({ id }) => id)),
  };
}
