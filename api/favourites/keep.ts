import { and, desc, eq, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { productsOf } from '../search/market.ts';
import { Refusal } from '../shared/errors.ts';
import { accountOf, favouriteCodes } from './reads.ts';
import { mostKept, withCode } from './rules.ts';

const { favourites: f } = schema;

/**
 * Keeps the listing of a code, and answers all codes; the oldest makes room. Refuses
 * `products.notFound` for what visitors cannot find.
 */
export async function keep(ctx: Ctx, code: string, device: readonly string[]): Promise<string[]> {
  openToEveryone(ctx);
  const [id] = await productsOf(ctx, [code]);
  if (id === undefined) throw new Refusal('products.notFound');
  const userId = accountOf(ctx);
  if (userId === undefined) return withCode(device, code);
  await addTo(ctx, userId, [id]);
  return favouriteCodes(ctx, device);
}

/** Moves a browser's favourites to the account that signs in there: the browser then keeps none. */
export async function moveToAccount(
  ctx: Ctx,
  userId: string,
  device: readonly string[],
): Promise<void> {
  const ids = await productsOf(ctx, device);
  if (ids.length > 0) await addTo(ctx, userId, ids);
}

const addTo = (ctx: Ctx, userId: string, ids: readonly string[]): Promise<void> =>
  inTransaction(ctx, async ({ db, now }) => {
    // A millisecond apart, so that their order stays.
    const last = now().getTime();
    await db
      .insert(f)
      .values(
        ids.map((productId, n) => ({
          userId,
          productId,
          keptAt: new Date(last - ids.length + 1 + n),
        })),
      )
      .onConflictDoNothing();
    const beyond = db
      .select({ id: f.productId })
      .from(f)
      .where(eq(f.userId, userId))
      .orderBy(desc(f.keptAt), desc(f.productId))
      .offset(mostKept);
    await db.delete(f).where(and(eq(f.userId, userId), inArray(f.productId, beyond)));
  });
