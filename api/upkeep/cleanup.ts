import { and, asc, eq, exists, inArray, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { translator } from '../../locales/index.ts';
import { removeOrphanedFiles } from '../check/orphans.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, type Tx, userIdOf } from '../core/context.ts';
import { inTransaction, photosMayGo } from '../core/transaction.ts';
import { endedBy } from '../listings/reads.ts';
import { cardKeys } from '../sharecards/cards.ts';
import { Refusal } from '../shared/errors.ts';
import { deletesUntil } from '../shared/retention/deletesUntil.ts';
import { deleteReleased, releasePhotos } from '../uploads/release.ts';

/** Names of product §7; counts photos, not their files. */
export type Cleaned = {
  cleaned_products: number;
  deleted_images: number;
  archived_products: number;
  orphaned_files: number;
  /** Looked orphaned, but too many did. */
  held_files: number;
};

const job = 'cleanup-expired-products';
const { products: p, productEdits, slots, queueItems, cleanupRuns } = schema;

/** Never touched, whatever else the row says. */
const listed = (ctx: Ctx): SQL =>
  or(
    exists(ctx.db.select({ one: sql`1` }).from(slots).where(eq(slots.productId, p.id))),
    exists(ctx.db.select({ one: sql`1` }).from(queueItems).where(eq(queueItems.productId, p.id))),
  ) as SQL;

/**
 * Deleted (product §4, product R16): ended or rejected a year ago, or removed too long ago to be
 * restored.
 */
function dueRecords(ctx: Ctx): SQL {
  // A product takes its listings along.
  if (!deletesUntil(ctx, job, 'listings')) return sql`false`;
  const ended = deletesUntil(ctx, job, 'products');
  const removed = deletesUntil(ctx, job, 'products', 'removed');
  return and(
    not(listed(ctx)),
    or(
      ended && or(endedBy(ended), and(eq(p.status, 'rejected'), lte(p.rejectedAt, ended))),
      removed && lte(p.removedAt, removed),
      sql`false`,
    ),
  ) as SQL;
}

/** Photos deleted, data kept (product §4): ended 30 days ago and not restorable. */
function dueImages(ctx: Ctx): SQL {
  const ended = deletesUntil(ctx, job, 'products', 'photos');
  return and(
    not(listed(ctx)),
    isNull(p.removedAt),
    ended ? endedBy(ended) : sql`false`,
    sql`jsonb_array_length(${p.images}) > 0`,
  ) as SQL;
}

/**
 * cleanup-expired-products (product §4, §7, §9; product R16). May run twice at once: products are
 * judged under their locks, and locked ones skipped. Files go after the commit. Refuses
 * `upkeep.storageAway` before anything is touched, and `upkeep.interrupted` midway, with what was
 * done and what is left.
 */
export async function cleanUp(ctx: Ctx, { batch = 50 } = {}): Promise<Cleaned> {
  requireAdmin(ctx);
  await expectStorage(ctx);
  const done: Cleaned = {
    cleaned_products: 0,
    deleted_images: 0,
    archived_products: 0,
    orphaned_files: 0,
    held_files: 0,
  };
  const left: Left = { images: 0 };
  const [run] = await ctx.db
    .insert(cleanupRuns)
    .values({
      startedAt: ctx.now(),
      startedBy: userIdOf(ctx.actor) ?? ('name' in ctx.actor ? ctx.actor.name : ctx.actor.kind),
    })
    .returning({ id: cleanupRuns.id });
  const figures = () => ({
    cleanedProducts: done.cleaned_products,
    deletedImages: done.deleted_images,
    archivedProducts: done.archived_products,
  });
  const record = (end: { finishedAt?: Date }) =>
    inTransaction(ctx, async (tx) => {
      await tx.db
        .update(cleanupRuns)
        .set({ ...figures(), ...end })
        .where(eq(cleanupRuns.id, run?.id ?? 0));
      const after = { ...done, ...(left.images > 0 ? { left_images: left.images } : {}) };
      if (tx.actor.kind === 'admin')
        await audit(tx, {
          action: 'cleanup.run',
          subjectKind: 'job',
          subjectId: job,
          after,
        });
    });
  try {
    await inBatches(ctx, () => deleteRecords(ctx, batch), done, left, 'cleaned_products');
    await inBatches(ctx, () => deleteImages(ctx, batch), done, left, 'archived_products');
    const { removed, held } = await removeOrphanedFiles(ctx).catch(async (error: unknown) => {
      // Refuses if the storage failed since.
      await expectStorage(ctx);
      throw error;
    });
    done.orphaned_files = removed;
    done.held_files = held;
  } catch (error) {
    await record({});
    if (!(error instanceof Refusal && error.code === 'upkeep.storageAway')) throw error;
    const images = translator(ctx.language, 'admin')('cleanup.completedImages', {
      count: left.images,
    });
    throw new Refusal(
      'upkeep.interrupted',
      { ...counted(ctx, done.cleaned_products, done.deleted_images), left: images },
      [],
      { cause: error },
    );
  }
  await record({ finishedAt: ctx.now() });
  return done;
}

type Gone = { productIds: string[]; photos: StoredImage[] };
/** Released photos with files. */
type Left = { images: number };

function counted({ language }: Ctx, products: number, images: number) {
  const t = translator(language, 'admin');
  return {
    products: t('cleanup.completedProducts', { count: products }),
    images: t('cleanup.completedImages', { count: images }),
  };
}

async function inBatches(
  ctx: Ctx,
  next: () => Promise<Gone>,
  done: Cleaned,
  left: Left,
  what: 'cleaned_products' | 'archived_products',
): Promise<void> {
  while (!ctx.signal?.aborted) {
    const { productIds, photos } = await next();
    if (productIds.length === 0) return;
    done[what] += productIds.length;
    const deleted = await deleteReleased(ctx, photos, productIds.flatMap(cardKeys));
    done.deleted_images += deleted;
    left.images += photos.length - deleted;
    // The rest waits for a run that can delete files.
    if (deleted < photos.length) throw new Refusal('upkeep.storageAway');
  }
}

const lockDue = (tx: Tx, due: SQL, batch: number) =>
  tx.db
    .select({ id: p.id, images: p.images })
    .from(p)
    .where(due)
    .orderBy(asc(p.id))
    .limit(batch)
    .for('update', { skipLocked: true });

async function deleteRecords(ctx: Ctx, batch: number): Promise<Gone> {
  return inTransaction(ctx, async (tx) => {
    const rows = await lockDue(tx, dueRecords(tx), batch);
    const productIds = rows.map(({ id }) => id);
    if (productIds.length === 0) return { productIds, photos: [] };
    const these = inArray(p.id, productIds);
    // Triggers announce updates of rows (db/migrations), but not deletes.
    await tx.db
      .update(p)
      .set({ removedAt: sql`coalesce(${p.removedAt}, ${tx.now().toISOString()}::timestamptz)` })
      .where(these);
    const photos = await releasePhotos(
      tx,
      productIds,
      rows.flatMap(({ images }) => images),
    );
    await tx.db.delete(p).where(these);
    return { productIds, photos };
  });
}

async function deleteImages(ctx: Ctx, batch: number): Promise<Gone> {
  return inTransaction(ctx, async (tx) => {
    const rows = await lockDue(tx, dueImages(tx), batch);
    const productIds = rows.map(({ id }) => id);
    if (productIds.length === 0) return { productIds, photos: [] };
    // A pending change loses its photos and could not be approved.
    await tx.db.delete(productEdits).where(inArray(productEdits.productId, productIds));
    await tx.db
      .update(p)
      .set({ images: [], imagesDeletedAt: tx.now() })
      .where(inArray(p.id, productIds));
    const photos = await releasePhotos(
      tx,
      productIds,
      rows.flatMap(({ images }) => images),
    );
    return { productIds, photos };
  });
}

async function expectStorage(ctx: Ctx): Promise<void> {
  if (!(await photosMayGo(ctx))) throw new Refusal('upkeep.backupUnderWay');
  try {
    await ctx.services.storage.probe();
  } catch (error) {
    const due = await dueNow(ctx);
    throw new Refusal('upkeep.storageAway', counted(ctx, due.products, due.images), [], {
      cause: error,
    });
  }
}

export async function dueNow(
  ctx: Ctx,
): Promise<{ products: number; images: number; archived: number }> {
  const due = {
    products: sql<number>`count(*)::int`,
    images: sql<number>`coalesce(sum(jsonb_array_length(${p.images})), 0)::int`,
  };
  const [records] = await ctx.db.select(due).from(p).where(dueRecords(ctx));
  const [archives] = await ctx.db
    .select(due)
    .from(p)
    .where(sql`${dueImages(ctx)} and (${dueRecords(ctx)}) is not true`);
  return {
    products: records?.products ?? 0,
    images: (records?.images ?? 0) + (archives?.images ?? 0),
    archived: archives?.products ?? 0,
  };
}
