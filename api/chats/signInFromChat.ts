import { homes } from '../auth/rules.ts';
import { newSignInLink } from '../auth/signIn/signInLink.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { limits } from './rules.ts';

/**
 * A single-use web sign-in link; the second factor is still asked for. Refuses `signInRequired`,
 * `tooManyRequests`.
 */
export async function signInFromChat(ctx: Ctx): Promise<{ link: string }> {
  const { userId } = requireAccount(ctx);
  await countAttempt(ctx, `chat-sign-in:${userId}`, 10, 3600, 'tooManyRequests');
  const path = await newSignInLink(
    ctx,
    userId,
    ctx.actor.kind === 'member' ? homes.member : undefined,
    limits.signInLinkLivesMs,
  );
  return { link: `${ctx.services.env.publicUrl}/${ctx.language}/${path}` };
}
