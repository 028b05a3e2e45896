import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { type Presented, presentFound } from '../search/found.ts';
import { foundAmong, productsOf } from '../search/market.ts';
import { productCode } from '../shared/slugs/productCode.ts';

const { favourites: f } = schema;

export const accountOf = ({ actor }: Ctx): string | undefined =>
  'userId' in actor ? actor.userId : undefined;

/**
 * Codes of what the account keeps, oldest first; a visitor's are those of the browser.
 * @param device codes in the browser's cookie, which an account does not read
 */
export async function favouriteCodes(ctx: Ctx, device: readonly string[]): Promise<string[]> {
  openToEveryone(ctx);
  const userId = accountOf(ctx);
  return userId === undefined ? [...device] : (await keptBy(ctx, userId)).map(productCode);
}

/** Products that an account keeps, oldest first. */
export async function keptBy({ db }: Pick<Ctx, 'db'>, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: f.productId })
    .from(f)
    .where(eq(f.userId, userId))
    .orderBy(f.keptAt, f.productId);
  return rows.map(({ id }) => id);
}

/**
 * Reads the favourites as cards: live listings first, the next to end at the top.
 * @returns `gone`: how many cannot be found now
 */
export async function favouriteCards(
  ctx: Ctx,
  device: readonly string[],
): Promise<{ results: Presented[]; gone: number }> {
  openToEveryone(ctx);
  const userId = accountOf(ctx);
  const ids = userId === undefined ? await productsOf(ctx, device) : await keptBy(ctx, userId);
  const results = await presentFound(ctx, await foundAmong(ctx, ids));
  const kept = userId === undefined ? device.length : ids.length;
  return { results, gone: kept - results.length };
}
