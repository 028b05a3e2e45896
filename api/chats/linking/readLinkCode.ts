import { openToEveryone } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { countAttempt } from '../../core/limits.ts';
import { inTransaction } from '../../core/transaction.ts';
import type { Chat } from '../../people/chats.ts';
import type { AccountSigns } from '../../people/mailbox.ts';
import { Refusal } from '../../shared/errors.ts';
import { limits, typedCode } from '../rules.ts';
import { codeOwner, hashOf } from './linkCodes.ts';

/**
 * Reads a code's account without using the code. Refuses `chats.codeInvalid` (wrong, used,
 * expired), `chats.factorNeeded`, `tooManyRequests` (per chat).
 */
export async function readLinkCode(
  ctx: Ctx,
  { keyHash }: Pick<Chat, 'keyHash'>,
  typed: string,
): Promise<{ codeHash: string; account: AccountSigns }> {
  openToEveryone(ctx);
  // Outside the transaction, so refused attempts count too.
  await countAttempt(ctx, `chat-code:${keyHash}`, limits.tries, 900, 'tooManyRequests');
  const code = typedCode(typed);
  if (!code) throw new Refusal('chats.codeInvalid');
  const codeHash = hashOf(ctx, code);
  const { account } = await inTransaction(ctx, (tx) => codeOwner(tx, codeHash));
  return { codeHash, account };
}
