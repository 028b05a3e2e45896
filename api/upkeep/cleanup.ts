import { and, asc, eq, exists, inArray, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { translator } from '../../locales/index.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction, photosMayGo } from '../core/transaction.ts';
import { endedBy } from '../listings/reads.ts';
import { restorableMs } from '../queue/restore.ts';
import { cardKeys } from '../sharecards/cards.ts';
import { deleteReleased, releasePhotos } from '../uploads/release.ts';
import { removeOrphanedFiles } from './orphans.ts';
import { keeps } from './rules.ts';

/** What a run did, with the names of product §7; photos count, not their files. */
export type Cleaned = {
  cleaned_products: number;
  deleted_images: number;
  archived_products: number;
  orphaned_files: number;
  /** Files that look orphaned and were kept, since too many did. */
  held_files: number;
};

const { products: p, productEdits, slots, queueItems, cleanupRuns } = schema;

/** In a slot or a queue: never touched, whatever else a row says. */
const listed = (ctx: Ctx): SQL =>
  or(
    exists(ctx.db.select({ one: sql`1` }).from(slots).where(eq(slots.productId, p.id))),
    exists(ctx.db.select({ one: sql`1` }).from(queueItems).where(eq(queueItems.productId, p.id))),
  ) as SQL;

/** Fully deleted (product §4, product R16): ended or rejected for a year, or removed longer ago than it can be restored. */
function dueRecords(ctx: Ctx): SQL {
  const before = (ms: number) => new Date(ctx.now().getTime() - ms);
  return and(
    not(listed(ctx)),
    or(
      endedBy(before(keeps.recordsMs)),
      and(eq(p.status, 'rejected'), lte(p.rejectedAt, before(keeps.recordsMs))),
      lte(p.removedAt, before(restorableMs)),
    ),
  ) as SQL;
}

/** Its photos go and its data stays (product §4): the listing ended 30 days ago. What can still be restored keeps them. */
function dueImages(ctx: Ctx): SQL {
  return and(
    not(listed(ctx)),
    isNull(p.removedAt),
    endedBy(new Date(ctx.now().getTime() - keeps.imagesMs)),
    sql`jsonb_array_length(${p.images}) > 0`,
  ) as SQL;
}

/**
 * cleanup-expired-products (product §4, §7, §9; product R16): deletes photos 30 days after the listing's end, records after a year, removed
 * products after their 30 days, and files that belong to nothing. May run twice, also at once, and harm nothing: each product is judged
 * again under its lock, and one that another run holds is passed over. Files go after the rows are committed. An admin's run is
 * audited. Refuses `upkeep.storageAway` when the storage is away, before anything is touched, and `upkeep.interrupted` when it goes away
 * in the middle: with what was done, which stays done, and what is left.
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
          subjectId: 'cleanup-expired-products',
          after,
        });
    });
  try {
    await inBatches(ctx, () => deleteRecords(ctx, batch), done, left, 'cleaned_products');
    await inBatches(ctx, () => deleteImages(ctx, batch), done, left, 'archived_products');
    const { removed, held } = await removeOrphanedFiles(ctx).catch(async (error: unknown) => {
      // Away since the run began, or another fault, which is thrown on.
      await expectStorage(ctx);
      throw error;
    });
    done.orphaned_files = removed;
    done.held_files = held;
  } catch (error) {
    // What was done stays done, and is counted.
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
/** Photos that nothing shows any more and whose files are still there. */
type Left = { images: number };

/** So many products, so many images, in words. */
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
    // Products whose files cannot go wait for a run in which they can.
    if (deleted < photos.length) throw new Refusal('upkeep.storageAway');
  }
}

/** The next products that are due, locked; what somebody else holds right now waits for another run. */
const lockDue = (tx: Ctx, due: SQL, batch: number) =>
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
    // Only the change of a row is announced to open and stored pages (db/migrations), not that it goes.
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
    // A change that still waits since before the end: its photos go too, and without them it could not be approved.
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

/** What a run would delete now. */
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
