import { keepChat, openChat } from '../api/chats/chat.ts';
import type { Message, Reply } from '../api/core/chatMessages.ts';
import type { Ctx } from '../api/core/context.ts';
import { inTransaction } from '../api/core/transaction.ts';
import { verdictOn } from '../api/engagement/allowance.ts';
import { recordEvent } from '../api/engagement/record.ts';
import { converse, turnOf } from './conversation/converse.ts';
import type { State, TakenPhoto } from './conversation/types.ts';
import { commandIn } from './conversation/words.ts';

/**
 * Answers one message in one transaction with the chat's state. If `keep` returns false, all is
 * rolled back. `photos` are stored before.
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
    // Numbered choices last until the next message with words.
    const { choices, askedAt, ...rest } = chat.state as State;
    const state = message.wordless && choices ? { ...rest, choices } : rest;
    const turn = turnOf(ctx, chat, state, photos);
    const said = { ...message, text: chosen(message.text, choices) };
    const replies = isLateYes(said, askedAt)
      ? [{ text: turn.t('late') }]
      : await converse(turn, said);
    if (turn.state.awaits)
      turn.state.askedAt =
        turn.state.awaits === state.awaits && askedAt ? askedAt : ctx.now().toISOString();
    await keepChat(tx, chat, { state: turn.state, ...turn.changes });
    if (!(await keep({ ...turn.ctx, db: tx.db }, replies))) throw new TakenBack();
    return { ctx: { ...turn.ctx, db: host.db }, seen: turn.seen };
  }).catch((error) => {
    if (error instanceof TakenBack) return undefined;
    throw error;
  });
  // Batched, outside the locks of a turn.
  for (const event of looked?.seen ?? [])
    if (verdictOn(looked?.ctx as Ctx, event) === 'counts')
      await recordEvent(looked?.ctx as Ctx, event);
}

const chosen = (text: string, choices: State['choices'] = {}): string =>
  (/^\d{1,3}$/.test(text.trim()) && choices[text.trim()]) || text;

/** Transports may deliver a yes late, written before the question. */
const isLateYes = ({ text, at }: Message, askedAt: string | undefined): boolean =>
  at !== undefined &&
  askedAt !== undefined &&
  Date.parse(at) + clocksDifferMs < Date.parse(askedAt) &&
  commandIn(text)?.command === 'yes';
const clocksDifferMs = 10_000;

/** Another worker has answered meanwhile. */
class TakenBack extends Error {}
