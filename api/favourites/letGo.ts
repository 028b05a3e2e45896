import { and, eq, notInArray, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { foundAmong, productsOf } from '../search/market.ts';
import { productCode } from '../shared/slugs/productCode.ts';
import { accountOf, favouriteCodes, keptBy } from './reads.ts';
import { withoutCode } from './rules.ts';

const { favourites: f } = schema;

/** Keeps the listing of a code no longer, or with `gone` all that visitors cannot find. */
export async function letGo(ctx: Ctx, code: string, device: readonly string[]): Promise<string[]> {
  openToEveryone(ctx);
  const userId = accountOf(ctx);
  if (userId === undefined)
    return code === 'gone'
      ? (await foundAmong(ctx, await productsOf(ctx, device))).map(({ id }) => productCode(id))
      : withoutCode(device, code);
  const which =
    code === 'gone'
      ? notInArray(
          f.productId,
          (await foundAmong(ctx, await keptBy(ctx, userId))).map(({ id }) => id),
        )
      : sql`left(${f.productId}::text, 8) = ${code}`;
  await ctx.db.delete(f).where(and(eq(f.userId, userId), which));
  return favouriteCodes(ctx, device);
}
