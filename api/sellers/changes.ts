import { type Ctx, userIdOf } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { Refusal } from '../shared/errors.ts';

/**
 * Counts a seller's change that every open page receives: withdraw, sold, relist, product, profile
 * (decision 059). In the database, so that it holds across processes. Refuses
 * `sellers.changedOften`, with the minutes to wait.
 */
export async function countChange(ctx: Ctx): Promise<void> {
  const userId = userIdOf(ctx.actor);
  if (userId === null) return;
  const { max, windowSeconds } = ctx.services.load.changes;
  try {
    await countAttempt(ctx, `changes:${userId}`, max, windowSeconds, 'tooManyRequests');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const retryAfter = error.retryAfter ?? windowSeconds;
    throw new Refusal('sellers.changedOften', { minutes: Math.ceil(retryAfter / 60) }, [], {
      retryAfter,
    });
  }
}
