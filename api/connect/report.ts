import { and, eq, isNull } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import { type Ctx, visitorKey } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { Refusal } from '../shared/errors.ts';
import type { newReport } from './schema.ts';

const { connectPosts: p, connectReports: reports } = schema;

/**
 * Stores a report, one per visitor, post and reason; needs no account. Refuses `connect.notFound`,
 * `connect.alreadyReported`, `tooManyRequests` (by address).
 */
export async function reportPost(
  ctx: Ctx,
  reference: string,
  { reason, note }: z.output<typeof newReport>,
): Promise<{ reported: true }> {
  openToEveryone(ctx);
  const visitor = visitorKey(ctx);
  await countAttempt(ctx, `report:${ctx.client.addressHash}`, 60, 3600, 'tooManyRequests');
  const [post] = await ctx.db
    .select({ id: p.id })
    .from(p)
    .where(and(eq(p.reference, reference), isNull(p.hiddenAt)));
  if (!post) throw new Refusal('connect.notFound');
  const kept = await ctx.db
    .insert(reports)
    .values({ postId: post.id, reason, note: note ?? null, visitor, createdAt: ctx.now() })
    .onConflictDoNothing()
    .returning({ id: reports.id });
  if (kept.length === 0) throw new Refusal('connect.alreadyReported');
  return { reported: true };
}
