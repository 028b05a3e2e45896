import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { photoFile } from '../uploads/names.ts';
import { looksLikeAnotherMarkets, orphanedFilesMs } from './rules.ts';

/** Any other file is not ours to delete (photos: `photoFile`). */
const cardName =
  /^products\/card-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-[a-z]{2}\.jpg(?:\.part)?$/;
const probeName = /^products\/health-[0-9a-f-]{36}\.txt(?:\.part)?$/;

function ownerOf(key: string): { photo?: string; card?: string; probe?: true } | undefined {
  const photo = photoFile.exec(key)?.[1];
  if (photo) return { photo };
  const card = cardName.exec(key)?.[1];
  if (card) return { card };
  return probeName.test(key) ? { probe: true } : undefined;
}

/**
 * Deletes orphaned files older than a day, left by interrupted work and deleted products. Deletes
 * none if most files look orphaned: the storage is probably another market's.
 */
export async function removeOrphanedFiles(ctx: Ctx): Promise<{ removed: number; held: number }> {
  const { storage, log } = ctx.services;
  const { orphaned, all } = await orphanedFiles(ctx, orphanedFilesMs);
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

/** Lists the storage before it reads the database, so files named by new rows are kept. */
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
