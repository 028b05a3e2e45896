import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import { limits } from '../products/schema.ts';
import { Refusal } from '../shared/errors.ts';
import {
  type Change,
  type Draft,
  locked,
  nextVersion,
  present,
  type Row,
  waiting,
  writesAnHour,
} from './draft.ts';

const { productDrafts: d } = schema;

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
