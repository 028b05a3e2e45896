import { randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { hasSecondFactor } from '../../auth/secondFactor/secondFactor.ts';
import { requireAccount } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { countAttempt } from '../../core/limits.ts';
import { inTransaction } from '../../core/transaction.ts';
import { Refusal } from '../../shared/errors.ts';
import { type ChatLinks, chatLinks } from '../deepLinks.ts';
import { codeOf, limits, typedCode } from '../rules.ts';
import { hashOf } from './linkCodes.ts';

const { chatLinkCodes: codes } = schema;

/**
 * A one-time code that links a chat to one's account; earlier codes end. Refuses
 * `chats.factorNeeded` to an admin without a second factor (with one, every session has passed it),
 * `tooManyRequests`.
 */
export async function newLinkCode(
  ctx: Ctx,
): Promise<{ code: string; expiresAt: string; links: ChatLinks }> {
  const { userId } = requireAccount(ctx);
  if (ctx.actor.kind === 'admin' && !(await hasSecondFactor(ctx, userId)))
    throw new Refusal('chats.factorNeeded');
  await countAttempt(ctx, `chat-codes:${userId}`, limits.codesAnHour, 3600, 'tooManyRequests');
  return inTransaction(ctx, async (tx) => {
    await tx.db.delete(codes).where(and(eq(codes.userId, userId), isNull(codes.usedAt)));
    const code = codeOf(randomBytes(16));
    const createdAt = tx.now();
    const expiresAt = new Date(createdAt.getTime() + limits.codeLivesMs);
    await tx.db
      .insert(codes)
      .values({ codeHash: hashOf(tx, typedCode(code) ?? ''), userId, createdAt, expiresAt });
    return {
      code,
      expiresAt: expiresAt.toISOString(),
      links: chatLinks(tx.services.env, tx.language, { code }),
    };
  });
}
