import { and, eq, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';

/** Photos without a product per person: a few drafts of five. */
const waitingLimit = 25;

/** Refuses `uploads.tooMany` if a person has too many photos without a product. */
export async function expectRoom(ctx: Pick<Ctx, 'db'>, ownerId: string): Promise<void> {
  const { uploads } = schema;
  const [held] = await ctx.db
    .select({ count: sql<number>`count(*)::int` })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), isNull(uploads.productId)));
  if ((held?.count ?? 0) >= waitingLimit)
    throw new Refusal('uploads.tooMany', { max: waitingLimit });
}
