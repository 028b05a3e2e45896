import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { countAttempt } from '../core/limits.ts';

/**
 * Counts an act of a seller of which every open page may hear, before it is done: withdraw, sold, relist, a changed product or profile
 * (decision 025). In the database, since it must hold across processes. Refuses `sellers.changedOften`, which says
 * in how many minutes there is room again.
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
