import { keepChat, openChat } from '../api/chats/chat.ts';
import type { Message } from '../api/chats/inbox.ts';
import type { Reply } from '../api/chats/replies.ts';
import type { Ctx } from '../api/core/context.ts';
import { inTransaction } from '../api/core/transaction.ts';
import { verdictOn } from '../api/engagement/allowance.ts';
import { recordEvent } from '../api/engagement/record.ts';
import { converse, turnOf } from './conversation/converse.ts';
import type { State, TakenPhoto } from './conversation/types.ts';

/**
 * Answers one message: what it changes, where the conversation is then, and the answer itself are kept together or not at all. `keep` writes the answer
 * where it belongs, in the same transaction; answering false, it takes all of it back. `photos` came with the message, and are stored already.
 */
export async function answerMessage(
  host: Ctx,
  keyHash: string,
  message: Message,
  keep: (tx: Ctx, replies: Reply[]) => Promise<boolean>,
  photos: TakenPhoto[] = [],
): Promise<void> {
  const looked = await inTransaction(host, async (tx) => {
    const opened = await openChat(tx, keyHash, message.number);
    if (!opened) return undefined;
    const { chat, ctx } = opened;
    const turn = turnOf(ctx, chat, chat.state as State, photos);
    const replies = await converse(turn, message);
    await keepChat(tx, chat, { state: turn.state, ...turn.changes });
    if (!(await keep({ ...turn.ctx, db: tx.db }, replies))) throw new TakenBack();
    return { ctx: { ...turn.ctx, db: host.db }, seen: turn.seen };
  }).catch((error) => {
    if (error instanceof TakenBack) return undefined;
    throw error;
  });
  // Views are written in batches with everybody's: not under the locks of a turn.
  for (const event of looked?.seen ?? []) if (verdictOn(looked?.ctx as Ctx, event) === 'counts') await recordEvent(looked?.ctx as Ctx, event);
}

/** Somebody else has answered meanwhile. */
class TakenBack extends Error {}
