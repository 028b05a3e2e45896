import { and, eq, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import type { Storage } from '../ops/storage.ts';
import { fileKey } from './files.ts';

/** Widths that load first, and their quality: a card in 8 KB, a hero in 15 (decision 026). */
const wanted = [
  { width: 320, quality: 48, effort: 3 },
  { width: 720, quality: 32, effort: 2 },
] as const;

/** A missing file may arrive later, as after a restore; the self-check reports it meanwhile. */
const missingAgainMs = 3_600_000;
/** Photos whose file is missing, with the time of the next look. */
const missing = new WeakMap<Storage, Map<string, number>>();

/**
 * Makes missing AVIF files, products in a slot or queue first: 0.2 s of a core each, too long for
 * an upload.
 * @param budgetMs starts no photo after this long, so a run ends before the next
 */
export async function refinePhotos(ctx: Ctx, { budgetMs = 25_000 } = {}): Promise<number> {
  requireAdmin(ctx);
  const { products, slots, queueItems } = schema;
  const { storage } = ctx.services;
  const later = missing.get(storage) ?? new Map<string, number>();
  missing.set(storage, later);
  const now = ctx.now().getTime();
  for (const [key, time] of later) if (time <= now) later.delete(key);
  const waiting = JSON.stringify([...later.keys()]);
  const rows = await ctx.db
    .select({ id: products.id, images: products.images })
    .from(products)
    .leftJoin(slots, eq(slots.productId, products.id))
    .leftJoin(queueItems, eq(queueItems.productId, products.id))
    .where(
      and(
        isNull(products.removedAt),
        sql`exists (select 1 from jsonb_array_elements(${products.images}) as image
          where not image ? 'avif' and not ${waiting}::text::jsonb ? (image ->> 'key'))`,
      ),
    )
    .orderBy(sql`${slots.id} nulls last`, sql`${queueItems.id} nulls last`, products.createdAt)
    .limit(100);
  const started = performance.now();
  let done = 0;
  for (const { id, images } of rows) {
    for (const image of images) {
      if (image.avif || later.has(image.key)) continue;
      if (ctx.signal?.aborted || performance.now() - started > budgetMs) return done;
      const avif = await squeeze(ctx, image);
      if (avif) {
        await keep(ctx, id, image.key, avif);
        done++;
      } else later.set(image.key, now + missingAgainMs);
    }
  }
  return done;
}

/** Returns the widths made, or undefined if the photo's file is missing. */
async function squeeze(ctx: Ctx, image: StoredImage): Promise<number[] | undefined> {
  const largest = Math.max(...image.widths);
  const bytes = await ctx.services.storage.get(fileKey(image.key, largest));
  if (!bytes) return undefined;
  const made: number[] = [];
  for (const { width, quality, effort } of wanted) {
    if (width > largest) continue;
    const avif = await ctx.services.pictures.avif(bytes, { width, quality, effort });
    await ctx.services.storage.put(fileKey(image.key, width, 'avif'), avif, 'image/avif');
    made.push(width);
  }
  return made;
}

/** Skips a photo that the seller has replaced meanwhile. */
async function keep(ctx: Ctx, productId: string, key: string, avif: number[]): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { products, uploads } = schema;
    const [product] = await tx.db
      .select({ images: products.images })
      .from(products)
      .where(eq(products.id, productId))
      .for('update');
    if (!product) return;
    const images = product.images.map((image) => (image.key === key ? { ...image, avif } : image));
    await tx.db.update(products).set({ images }).where(eq(products.id, productId));
    const mine = images.find((image) => image.key === key);
    if (mine) await tx.db.update(uploads).set({ image: mine }).where(eq(uploads.key, key));
  });
}
