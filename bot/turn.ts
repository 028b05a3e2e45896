import { keepChat, openChat } from '../api/chats/chat.ts';
import { takeHeld } from '../api/chats/held.ts';
import type { Message, Reply } from '../api/core/chatMessages.ts';
import type { Ctx, Tx } from '../api/core/context.ts';
import { inTransaction } from '../api/core/transaction.ts';
import { verdictOn } from '../api/engagement/allowance.ts';
import { recordEvent } from '../api/engagement/record.ts';
import { currentVersion, type Version } from '../api/legal/version.ts';
import { answerTo, turnOf } from './answers/answer.ts';
import { asideTo } from './answers/aside.ts';
import { stopQuestion } from './answers/stopping.ts';
import type { TakenPhoto } from './answers/types.ts';
import { keptAfter, readingOf } from './understanding/reading.ts';
import type { State } from './understanding/state.ts';

/**
 * Answers one message in one transaction with the chat's state. If `keep` returns false, all is
 * rolled back. `photos` are stored before.
 */
export async function answerMessage(
  host: Ctx,
  keyHash: string,
  message: Message,
  keep: (tx: Tx, replies: Reply[]) => Promise<boolean>,
  photos: TakenPhoto[] = [],
): Promise<void> {
  const answered = await inTransaction(host, async (tx) => {
    const opened = await openChat(tx, keyHash, message);
    if (!opened) return undefined;
    const { chat, ctx } = opened;
    const before = chat.state as State;
    const store = async (of: Ctx, replies: Reply[]) => {
      if (!(await keep({ ...tx, ...of, db: tx.db }, replies))) throw new TakenBack();
    };
    let known: Promise<Version> | undefined;
    const version = () => (known ??= currentVersion(tx));
    const reading = readingOf(message, before, chat.stoppedAt !== null);
    if (reading.as === 'aside') {
      await store(ctx, [await asideTo(turnOf(ctx, chat, before, version), reading, message.text)]);
      return undefined;
    }
    const turn = turnOf(ctx, chat, reading.state, version, photos);
    const replies =
      reading.as === 'late' ? [{ text: turn.t('late') }] : await answerTo(turn, reading.message);
    if (reading.mayStop) replies.push(stopQuestion(turn));
    // A list or a card turns into the next; a question stays below what it is about.
    const [only, ...others] = replies;
    if (message.pressed && only?.buttons && others.length === 0 && !turn.state.awaits)
      replies[0] = { ...only, replaces: message.pressed };
    const state = keptAfter(reading, before, turn.state, replies, ctx.now());
    if (chat.stoppedAt && !chat.closedAt) replies.unshift(...(await takeHeld(turn.ctx, chat)));
    await keepChat(tx, chat, { state, ...turn.changes });
    await store(turn.ctx, replies);
    return { ctx: { ...turn.ctx, db: host.db }, seen: turn.seen };
  }).catch((error) => {
    if (error instanceof TakenBack) return undefined;
    throw error;
  });
  if (!answered) return;
  // Batched, outside the locks of a turn.
  for (const event of answered.seen)
    if (verdictOn(answered.ctx, event) === 'counts') await recordEvent(answered.ctx, event);
}

/** Another worker has answered meanwhile. */
class TakenBack extends Error {}
