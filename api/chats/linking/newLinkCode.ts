import { hasSecondFactor } from '../../auth/secondFactor/secondFactor.ts';
import { isTeam, requireAccount } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { countAttempt } from '../../core/limits.ts';
import { inTransaction } from '../../core/transaction.ts';
import { Refusal } from '../../shared/errors.ts';
import { type ChatLinks, chatLinks } from '../deepLinks.ts';
import { limits } from '../rules.ts';
import { makeCode, type NewCode } from './linkCodes.ts';

/**
 * A one-time code that links a chat to one's account; earlier codes end. Refuses
 * `chats.factorNeeded` to an admin without a second factor (with one, every session has passed it),
 * `tooManyRequests`.
 */
export async function newLinkCode(ctx: Ctx): Promise<NewCode & { links: ChatLinks }> {
  const { userId } = requireAccount(ctx);
  if (isTeam(ctx.actor.kind) && !(await hasSecondFactor(ctx, userId)))
    throw new Refusal('chats.factorNeeded');
  await countAttempt(ctx, `chat-codes:${userId}`, limits.codesAnHour, 3600, 'tooManyRequests');
  const made = await inTransaction(ctx, (tx) => makeCode(tx, userId));
  return { ...made, links: chatLinks(ctx.services.env, ctx.language, { code: made.code }) };
}
