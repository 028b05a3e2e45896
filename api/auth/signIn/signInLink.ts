import { schema } from '../../../db/client.ts';
import type { Ctx } from '../../core/context.ts';
import { withToken } from '../mails.ts';
import { sideOf } from '../rules.ts';
import { hashToken, newToken } from '../tokens.ts';

const { signInLinks } = schema;

const lifeMs = 15 * 60_000;

/**
 * Creates a sign-in link; returns its path without the language. The caller vouches for the
 * mailbox.
 */
export async function newSignInLink(
  ctx: Ctx,
  userId: string,
  next: string | undefined,
  livesMs = lifeMs,
): Promise<string> {
  const token = newToken();
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + livesMs);
  await ctx.db
    .insert(signInLinks)
    .values({ tokenHash: hashToken(token), userId, next: next ?? null, createdAt, expiresAt });
  return withToken('sign-in-link', token, sideOf(next));
}
