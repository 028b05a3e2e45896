import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { locked, nextVersion, type Row, waiting, writesAnHour } from './draft.ts';
import type { KeptDraft } from './schema.ts';

const { productDrafts: d, idempotencyKeys } = schema;

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
