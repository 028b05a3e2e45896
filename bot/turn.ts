import { isButtonKey } from '../api/chats/buttonKeys.ts';
import { keepChat, openChat } from '../api/chats/chat.ts';
import { takeHeld } from '../api/chats/held.ts';
import type { Choices } from '../api/chats/rules.ts';
import type { Message, Reply } from '../api/core/chatMessages.ts';
import type { Ctx } from '../api/core/context.ts';
import { inTransaction } from '../api/core/transaction.ts';
import { verdictOn } from '../api/engagement/allowance.ts';
import { recordEvent } from '../api/engagement/record.ts';
import type { Chat } from '../api/people/chats.ts';
import { translator } from '../locales/index.ts';
import { converse, turnOf } from './conversation/converse.ts';
import { isResume, isStop, resumed, stopped } from './conversation/stopping.ts';
import type { State, TakenPhoto, Turn } from './conversation/types.ts';
import { correctedBy, mayCorrect, unread } from './edits.ts';
import { askedAt, isLateAnswer, writtenBefore } from './late.ts';
import { tappedIn } from './others.ts';

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
    const opened = await openChat(tx, keyHash, message);
    if (!opened) return undefined;
    const { chat, ctx } = opened;
    const before = chat.state as State;
    // Numbered choices last until the next message with words.
    const { choices: newest, earlier, offeredAt, askedAt: asked, answered, ...rest } = before;
    const choices = (newest ?? earlier) ? { ...earlier, ...newest } : undefined;
    const lateChoice = choices?.[message.text.trim()] && writtenBefore(message, offeredAt);
    const typed = behindButton(message.text, before.keys);
    const said = { ...message, text: lateChoice ? message.text : chosen(typed, choices) };
    const edited = message.edits !== undefined && !isStop(message.text);
    const corrected = edited ? correctedBy(message, before) : undefined;
    if (edited && !corrected) {
      if (!(await keep({ ...ctx, db: tx.db }, [unread(turnOf(ctx, chat, before))])))
        throw new TakenBack();
      return undefined;
    }
    const isLate = !corrected && (lateChoice || isLateAnswer(before, said));
    const older = !corrected && !isLate && writtenBefore(message, asked);
    const state =
      choices && (isLate || message.wordless)
        ? { ...rest, choices, ...(offeredAt ? { offeredAt } : {}) }
        : rest;
    if (isButtonKey(typed)) {
      const old = { text: translator(ctx.language, 'bot')('oldButton') };
      if (!(await keep({ ...ctx, db: tx.db }, [old]))) throw new TakenBack();
      return undefined;
    }
    const switched = await switchedBy(ctx, chat, message);
    if (switched) {
      if (!(await keep({ ...ctx, db: tx.db }, [switched]))) throw new TakenBack();
      return undefined;
    }
    if (corrected) state.awaits = corrected;
    // An older message is answered as if nothing were asked, and the question stays open.
    const { awaits, ...unasked } = state;
    const turn = turnOf(ctx, chat, older && !message.photos ? unasked : state, photos);
    const replies = isLate
      ? [{ text: turn.t('late') }]
      : await converse(turn, older ? withoutCaption(said) : said);
    if (!isLate) keepPrinted(turn, replies, said.text === message.text ? undefined : choices);
    if (chat.stoppedAt) replies.unshift(...(await takeHeld(turn.ctx, chat)));
    if (older && awaits && !turn.state.awaits) turn.state.awaits = awaits;
    const since = askedAt(before, turn.state, ctx.now());
    if (since) turn.state.askedAt = since;
    const id = message.edits ?? message.id;
    if (id && awaits && !isLate && !older && mayCorrect(awaits))
      turn.state.answered = { id, asked: awaits };
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

const behindButton = (text: string, keys: State['keys'] = {}): string =>
  (isButtonKey(text) && keys[text]) || text;

const chosen = (text: string, choices: State['choices'] = {}): string =>
  (/^\d{1,3}$/.test(text.trim()) && choices[text.trim()]) || text;

/** STOP, its end and tapped commands come before anything else; the open question stays open. */
async function switchedBy(
  ctx: Ctx,
  chat: Chat,
  { text, photos, wordless }: Message,
): Promise<Reply | undefined> {
  if (photos || wordless) return undefined;
  const turn = turnOf(ctx, chat, chat.state as State);
  if (isStop(text)) return stopped(turn, text);
  const tapped = tappedIn(text);
  if (tapped) return tappedQuestion(turn, tapped);
  return chat.stoppedAt && isResume(text) ? resumed(turn, text) : undefined;
}

/** Numbers printed in the text mean their lines on every network; older ones while numbers come. */
function keepPrinted({ state, ctx }: Turn, replies: readonly Reply[], older?: Choices): void {
  const numbered = replies
    .flatMap(({ buttons = [] }) => buttons.flat())
    .flatMap((one) => ('say' in one && /^\d{1,3}$/.test(one.label) ? [one] : []));
  const printed = numbered.filter(({ label, say }) => label !== say);
  for (const { label, say } of printed) state.choices = { ...state.choices, [label]: say };
  if (state.choices) state.offeredAt = ctx.now().toISOString();
  // A number answers an open question, never an older list.
  if (older && !state.awaits) state.earlier = older;
}

/** A tap may come from anybody's text, so it asks: the button below, or typing it, does it. */
const tappedQuestion = ({ t }: Turn, words: string): Reply => ({
  text: t('tapped', { words }),
  buttons: [[{ label: words, say: words }]],
});

/** A caption of an older message is no answer; its photos are added all the same. */
const withoutCaption = (message: Message): Message =>
  message.photos ? { ...message, text: '' } : message;

/** Another worker has answered meanwhile. */
class TakenBack extends Error {}
