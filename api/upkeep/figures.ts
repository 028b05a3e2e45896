import { gte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { dueNow } from './cleanup.ts';
import { storageEstimate, storageStatus, storageWarns } from './rules.ts';

/** get_cleanup_stats (product §3, §7). */
export async function cleanupStats(ctx: Ctx, { daysBack = 30 } = {}) {
  requireAdmin(ctx);
  const { cleanupRuns: r } = schema;
  const [sum] = await ctx.db
    .select({
      total_operations: sql<number>`count(*)::int`,
      total_cleaned_products: sql<number>`coalesce(sum(${r.cleanedProducts}), 0)::int`,
      total_deleted_images: sql<number>`coalesce(sum(${r.deletedImages}), 0)::int`,
      total_archived_products: sql<number>`coalesce(sum(${r.archivedProducts}), 0)::int`,
    })
    .from(r)
    .where(gte(r.startedAt, new Date(ctx.now().getTime() - daysBack * 86_400_000)));
  const [last] = await ctx.db
    .select({ at: sql<Date | null>`max(${r.finishedAt})`.mapWith(r.finishedAt) })
    .from(r);
  return {
    total_operations: sum?.total_operations ?? 0,
    total_cleaned_products: sum?.total_cleaned_products ?? 0,
    total_deleted_images: sum?.total_deleted_images ?? 0,
    total_archived_products: sum?.total_archived_products ?? 0,
    last_cleanup: last?.at?.toISOString() ?? null,
    days_back: daysBack,
    due: await dueNow(ctx),
  };
}

/**
 * The estimate of 0.5 MB an image against 1000 MB (product §9, product R28), and the measured size,
 * null while the storage is away. The status is the worse of both.
 */
export async function storageFigures(ctx: Ctx) {
  requireAdmin(ctx);
  const { products: p } = schema;
  const [row] = await ctx.db
    .select({ images: sql<number>`coalesce(sum(jsonb_array_length(${p.images})), 0)::int` })
    .from(p);
  const images = row?.images ?? 0;
  const { bytesPerImage, totalBytes } = storageEstimate;
  const share = (bytes: number) => (bytes / totalBytes) * 100;
  const estimate = {
    images,
    bytes: images * bytesPerImage,
    totalBytes,
    percent: share(images * bytesPerImage),
  };
  const measured = await measure(ctx);
  const percent = Math.max(estimate.percent, measured ? share(measured.bytes) : 0);
  return {
    estimate,
    measured,
    percent,
    status: storageStatus(percent),
    warning: storageWarns(percent),
  };
}

async function measure({
  services: { storage, log },
}: Ctx): Promise<{ bytes: number; files: number } | null> {
  try {
    const found = { bytes: 0, files: 0 };
    for await (const file of storage.list()) {
      found.bytes += file.bytes;
      found.files++;
    }
    return found;
  } catch (error) {
    log.error('The storage could not be measured', { error });
    return null;
  }
}
