import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { moveFromChat } from '../../alerts/moveFromChat.ts';
import { openToEveryone } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { type Chat, opened } from '../../people/chats.ts';
import type { AccountSigns } from '../../people/mailbox.ts';
import { notify } from '../../people/notify.ts';
import { networkNames } from '../../shared/networks.ts';
import { keepWayIn } from '../wayIn.ts';
import { codeOwner, markUsed } from './linkCodes.ts';

const { chats } = schema;

/**
 * Links a chat to a code's account and mails its owner. Another account's chat moves over, as the
 * person holds the phone. Refuses `chats.codeInvalid`, `chats.factorNeeded`, `chats.onlyWayIn` if
 * it is that account's only sign-in.
 */
export async function linkChat(
  ctx: Ctx,
  { keyHash, transport }: Pick<Chat, 'keyHash' | 'transport'>,
  codeHash: string,
): Promise<{ account: AccountSigns }> {
  openToEveryone(ctx);
  return inTransaction(ctx, async (tx) => {
    const row = await codeOwner(tx, codeHash);
    const [chat] = await tx.db
      .select({ id: chats.id, userId: chats.userId, closedAt: chats.closedAt })
      .from(chats)
      .where(eq(chats.keyHash, keyHash))
      .for('update');
    // A closed chat is no way in any more.
    if (chat?.userId && !chat.closedAt && chat.userId !== row.userId)
      await keepWayIn(tx, chat.userId, eq(chats.keyHash, keyHash));
    await markUsed(tx, codeHash);
    await tx.db
      .update(chats)
      .set({ ...opened, userId: row.userId, linkedAt: tx.now(), notices: true, morningOn: false })
      .where(eq(chats.keyHash, keyHash));
    if (chat) await moveFromChat(tx, chat.id, row.userId);
    await notify(
      tx,
      { userId: row.userId },
      'chatLinked',
      { channel: networkNames[transport] },
      // A new password ends the link; without a mailbox there is none.
      row.account.email === null ? 'account' : 'forgot-password',
    );
    return { account: row.account };
  });
}
