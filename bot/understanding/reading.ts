import { type Choices, isButtonKey } from '../../api/chats/rules.ts';
import type { Message, Reply } from '../../api/core/chatMessages.ts';
import { correctedBy, mayCorrect } from './edits.ts';
import { labelsOf, pressed } from './labels.ts';
import { askedAt, isLateAnswer, writtenBefore } from './late.ts';
import { isPlain } from './request.ts';
import type { Asked, State } from './state.ts';
import { isResume, isStop } from './stop.ts';
import { understand } from './understand.ts';
import { commandIn, tappedIn } from './words.ts';

/**
 * How a message is taken, by its time, its network's signs and what the chat showed last. An aside
 * changes nothing that is open; `words` are those of a tapped command.
 */
export type Reading =
  | { as: 'aside'; what: 'edited' | 'oldButton' | 'stop' | 'resume' }
  | { as: 'aside'; what: 'tapped'; words: string }
  | ({ as: 'late' | 'message'; older: boolean; message: Message; state: State } & Offered);

/**
 * `choices` are what numbers meant; `chose` says that the text was one of them. `mayStop`: the text
 * is answered, and may ask for silence as well.
 */
type Offered = { choices?: Choices | undefined; chose: boolean; mayStop?: boolean };

const longest = 4096;

/** Reads a message in the state that its chat was left in. */
export function readingOf(message: Message, before: State, isStopped: boolean): Reading {
  // Numbered choices last until the next message with words.
  const { choices: newest, earlier, offeredAt, askedAt: asked, answered, ...rest } = before;
  const choices = (newest ?? earlier) ? { ...earlier, ...newest } : undefined;
  const lateChoice = choices?.[message.text.trim()] && writtenBefore(message, offeredAt);
  const typed = behindButton(message.text, before.keys);
  const text = lateChoice ? message.text : chosen(typed, choices);
  const edited = message.edits !== undefined && !isStop(message.text);
  const corrected = edited ? correctedBy(message, before) : undefined;
  if (edited && !corrected) return { as: 'aside', what: 'edited' };
  const isLate = !corrected && (lateChoice || isLateAnswer(before, { ...message, text }));
  const older = !corrected && !isLate && writtenBefore(message, asked);
  if (isButtonKey(typed)) return { as: 'aside', what: 'oldButton' };
  const switched = switchedBy(message, isStopped || before.awaits !== undefined);
  if (switched) return switched;
  const keepsChoices = choices && (isLate || message.wordless);
  const { awaits, ...unasked } = rest;
  const asks = corrected ?? awaits;
  const isOwn = !isLate && text === message.text && !message.photos;
  const silence = isOwn ? silenceIn(text, before) : undefined;
  const takesAnything = asks !== undefined && takesFreeText(asks);
  if (silence === 'asked' && !takesAnything) return { as: 'aside', what: 'stop' };
  const mayStop = takesAnything
    ? silence === 'asked'
    : silence === 'perhaps' && !asks && !isStopped;
  // An older message is answered as if nothing were asked, and the question stays open.
  const open = older && !message.photos ? undefined : asks;
  // A caption of an older message is no answer; its photos are added all the same.
  const said = older && message.photos ? '' : text;
  return {
    as: isLate ? 'late' : 'message',
    older,
    choices,
    chose: text !== message.text,
    ...(mayStop && { mayStop }),
    message: { ...message, text: isLate ? text : pressed(cleaned(said), before.labels) },
    state: {
      ...unasked,
      ...(open ? { awaits: open } : {}),
      ...(keepsChoices ? { choices, ...(offeredAt ? { offeredAt } : {}) } : {}),
    },
  };
}

const behindButton = (text: string, keys: State['keys'] = {}): string =>
  (isButtonKey(text) && keys[text]) || text;

const chosen = (text: string, choices: Choices = {}): string =>
  (/^\d{1,3}$/.test(text.trim()) && choices[text.trim()]) || text;

const cleaned = (text: string): string =>
  text.slice(0, longest).toWellFormed().replaceAll('\0', '').trim();

/** STOP, its end and tapped commands come before anything else; the open question stays open. */
function switchedBy({ text, photos, wordless }: Message, mayResume: boolean): Reading | undefined {
  if (photos || wordless) return undefined;
  if (isStop(text)) return { as: 'aside', what: 'stop' };
  const tapped = tappedIn(text);
  if (tapped) return { as: 'aside', what: 'tapped', words: tapped };
  return mayResume && isResume(text) ? { as: 'aside', what: 'resume' } : undefined;
}

/** `asked` for a sentence that asks for silence; commands and labels of buttons do not. */
function silenceIn(text: string, { labels, card }: State): 'asked' | 'perhaps' | undefined {
  const said = pressed(cleaned(text), labels);
  const command = commandIn(said);
  if (said !== cleaned(text) || (command?.exact && isPlain(command))) return undefined;
  const { intent, mayStop } = understand(said, { card: card?.slot });
  return intent === 'stop' ? 'asked' : mayStop && 'perhaps';
}

/** Questions whose answers may hold anything, a request to stop too. */
const takesFreeText = (asked: Asked): boolean =>
  asked.kind === 'note' ||
  asked.kind === 'why' ||
  (asked.kind === 'draft' &&
    /^(?:name|description|sellerLocation|businessName)/.test(asked.field)) ||
  (asked.kind === 'join' && ['name', 'place', 'town'].includes(asked.step));

/** The state to keep after a message was answered. */
export function keptAfter(
  { as, older, message, choices, chose }: Exclude<Reading, { as: 'aside' }>,
  before: State,
  answered: State,
  replies: readonly Reply[],
  now: Date,
): State {
  const { awaits, labels } = before;
  const isLate = as === 'late';
  const { labels: _, ...unlabelled } = answered;
  const keepsLabels = (isLate || message.wordless) && labels;
  const state: State = { ...unlabelled, ...(keepsLabels ? { labels } : labelsOf(replies)) };
  if (!isLate) keepPrinted(state, replies, chose ? choices : undefined, now);
  if (older && awaits && !state.awaits) state.awaits = awaits;
  const since = askedAt(before, state, now);
  if (since) state.askedAt = since;
  const id = message.edits ?? message.id;
  const open = isLate || older ? undefined : message.edits ? before.answered?.asked : awaits;
  if (id && open && mayCorrect(open)) state.answered = { id, asked: open };
  return state;
}

/** Numbers printed in the text mean their lines on every network; older ones while numbers come. */
function keepPrinted(
  state: State,
  replies: readonly Reply[],
  older: Choices | undefined,
  now: Date,
): void {
  const numbered = replies
    .flatMap(({ buttons = [] }) => buttons.flat())
    .flatMap((one) => ('say' in one && /^\d{1,3}$/.test(one.label) ? [one] : []));
  const printed = numbered.filter(({ label, say }) => label !== say);
  for (const { label, say } of printed) state.choices = { ...state.choices, [label]: say };
  if (state.choices) state.offeredAt = now.toISOString();
  // A number answers an open question, never an older list.
  if (older && !state.awaits) state.earlier = older;
}
