import type { Message } from '../../api/core/chatMessages.ts';
import { Refusal } from '../../api/shared/errors.ts';
import { translator } from '../../locales/index.ts';
import { paragraphs } from '../delivery/layout.ts';
import { isPlain, linkedRequest, requestIn, saidIn } from '../understanding/request.ts';
import type { Asked } from '../understanding/state.ts';
import { understand } from '../understanding/understand.ts';
import { commandIn, languageIn } from '../understanding/words.ts';
import { photosCame } from './drafting/draftPhotos.ts';
import { turnedAway } from './gates.ts';
import { answerIntent } from './intents.ts';
import { hidesNumber, numberCame, provenElsewhere } from './joining/joining.ts';
import { follow, guessed, speak } from './language.ts';
import { prove, unasked } from './proving.ts';
import { answerQuestion } from './questions.ts';
import { button, refusedReply } from './say.ts';
import { start } from './start.ts';
import { askOnce, termsQuestion } from './terms.ts';
import type { Answer, Reply, Turn } from './types.ts';

/**
 * Answers one message, on any transport. Verbs check all rules; after a refusal the turn's changes
 * are dropped.
 */
export async function answerTo(turn: Turn, message: Message): Promise<Reply[]> {
  const { text, number, anothersContact, wordless, photos = [] } = message;
  if (message.language !== undefined) turn.spoken = message.language;
  if (anothersContact)
    return [hidesNumber(turn) ? await provenElsewhere(turn) : { text: turn.t('verify.anothers') }];
  if (wordless)
    return isStranger(turn)
      ? [await guessed(turn, '', () => unreadable(turn))].flat()
      : [unreadable(turn)];
  const before = { ...turn.state };
  try {
    const answer =
      photos.length > 0
        ? await answerPhotos(turn, text)
        : number === undefined || text !== ''
          ? await answerText(turn, text)
          : await answerNumber(turn, number);
    return [answer, await askOnce(turn)].flat();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'legal.notAgreed') {
      turn.state = before;
      turn.seen.length = 0;
      return [await termsQuestion(turn, refusedReply(turn, error).text)];
    }
    // The question is dropped all the same: the next message does not answer it.
    const { awaits: _, ...rest } = before;
    turn.state = { ...rest, ...(turn.again ? { awaits: turn.again } : {}) };
    turn.seen.length = 0;
    return [refusedReply(turn, error)];
  }
}

/** True for somebody whose language is not known yet. */
const isStranger = ({ ctx, chat }: Turn): boolean => ctx.actor.kind === 'visitor' && !chat.language;

/** Adds photos to a seller's draft; for others the caption is answered as text. */
async function answerPhotos(turn: Turn, caption: string): Promise<Answer> {
  if (isStranger(turn)) return guessed(turn, caption, () => answerPhotos(turn, caption));
  const { actor } = turn.ctx;
  const sells = 'seller' in actor && actor.seller && !actor.seller.suspended;
  if (!sells && understand(caption).intent !== 'unknown') return answerText(turn, caption);
  const came =
    (await turnedAway(turn, 'seller')) ??
    (turn.photos.length > 0 ? await photosCame(turn, caption) : { text: turn.t('failed') });
  return sells || caption === '' ? came : [came, await answerText(turn, caption)].flat();
}

function unreadable(turn: Turn): Reply {
  const { t, state } = turn;
  if (state.awaits) return { text: paragraphs(t('wordless'), t('stillAsked')) };
  return {
    text: t('wordless'),
    buttons: [[button(turn, 'button.market', 'market'), button(turn, 'button.help', 'help')]],
  };
}

/** Answers a shared number: a profile's proof, or the last step of joining. */
async function answerNumber(turn: Turn, number: string): Promise<Answer> {
  const { actor } = turn.ctx;
  const { awaits } = turn.state;
  if (actor.kind !== 'visitor' && actor.kind !== 'member') {
    delete turn.state.awaits;
    return (
      (await turnedAway(turn, 'seller')) ??
      (awaits?.kind === 'prove' ? prove(turn, awaits, number) : unasked(turn))
    );
  }
  return isStranger(turn)
    ? guessed(turn, '', () => numberCame(turn, awaits))
    : numberCame(turn, awaits);
}

/** Answers words: the open question first, then what they ask for. */
async function answerText(turn: Turn, text: string): Promise<Answer> {
  const { awaits } = turn.state;
  delete turn.state.awaits;
  const chosen = awaits?.kind === 'language' ? chosenLanguage(turn, awaits, text) : undefined;
  if (chosen) return chosen;
  if (isStranger(turn)) {
    const wanted =
      commandIn(text)?.command === 'language' ? languageIn(text.replace(/^\S+\s*/, '')) : undefined;
    return wanted ? begin(turn, wanted, '') : guessed(turn, text, () => answerText(turn, text));
  }
  await follow(turn, text);
  const linked = linkedRequest(text);
  if (linked) return answerIntent(turn, linked.intent, linked.args);
  const said = saidIn(text, { ...turn.state, ...(awaits && { awaits }) }, roleIn(turn));
  if (said?.command === 'terms' && said.exact && isPlain(said)) {
    // Agreeing leaves the open question as it is.
    if (awaits) turn.state.awaits = awaits;
    return answerIntent(turn, 'terms', { text, words: said.rest });
  }
  const answer = awaits && (await answerQuestion(turn, awaits, text, said));
  if (answer) return answer;
  const { intent, args } = requestIn(text, said, turn.state);
  return answerIntent(turn, intent, args);
}

const roleIn = ({ ctx: { actor } }: Turn) =>
  actor.kind === 'admin' || actor.kind === 'moderator' ? actor.kind : undefined;

/** Undefined if the text names no language: it is then a message of its own. */
function chosenLanguage(
  turn: Turn,
  { then }: Extract<Asked, { kind: 'language' }>,
  text: string,
): Promise<Answer> | undefined {
  const words = commandIn(text)?.command === 'language' ? text.replace(/^\S+\s*/, '') : text;
  const wanted = languageIn(words);
  return wanted ? begin(turn, wanted, then) : undefined;
}

/** Also answers the message that came before the language was known. */
async function begin(
  turn: Turn,
  wanted: Parameters<typeof speak>[1],
  then: string,
): Promise<Answer> {
  const spoken = await speak(turn, wanted);
  turn.chat = { ...turn.chat, language: wanted };
  const next = then
    ? await answerText(turn, then)
    : turn.ctx.actor.kind === 'visitor'
      ? await start(turn)
      : [];
  return [spoken, ...(Array.isArray(next) ? next : [next])];
}

/** A turn that continues from the chat's kept state. */
export const turnOf = (
  ctx: Turn['ctx'],
  chat: Turn['chat'],
  state: Turn['state'],
  version: Turn['version'],
  photos: Turn['photos'] = [],
): Turn => ({
  ctx,
  chat,
  state: { ...state },
  t: translator(ctx.language, 'bot'),
  changes: {},
  version,
  photos,
  seen: [],
});
