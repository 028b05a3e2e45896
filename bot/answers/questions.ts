import type { Asked } from '../understanding/state.ts';
import { understand } from '../understanding/understand.ts';
import type { Said } from '../understanding/words.ts';
import { done } from './acting.ts';
import { agreed, answeredQuestion } from './contact.ts';
import { decidedWhy } from './deciding/deciding.ts';
import { reports } from './deciding/reported.ts';
import { pending } from './deciding/review.ts';
import { teamChanged } from './deciding/team.ts';
import * as draft from './drafting/drafting.ts';
import { turnedAway, type Who } from './gates.ts';
import { begin, joinBack, joining, noTown } from './joining/joining.ts';
import { declined, left, link, linkAgreed } from './linking/linking.ts';
import { askToProve, prove } from './proving.ts';
import { note, reason } from './report.ts';
import { help } from './start.ts';
import type { Answer, Turn } from './types.ts';

/** `exact` is the command that the text is or begins with. */
type Given = { text: string; said: Said | undefined; exact: Said['command'] | undefined };
type Taken = Promise<Answer | undefined> | Answer | undefined;

/**
 * Answers to a question: a yes alone, a no, any other text. Where the answer is undefined, the text
 * is a message of its own.
 */
type Question<K extends Asked['kind']> = {
  who?: Who;
  yes?(turn: Turn, asked: Extract<Asked, { kind: K }>, given: Given): Taken;
  no?(turn: Turn, asked: Extract<Asked, { kind: K }>): Taken;
  other?(turn: Turn, asked: Extract<Asked, { kind: K }>, given: Given): Taken;
  /** Help is answered without leaving it. */
  form?: true;
};

const questions: { [K in Asked['kind']]: Question<K> } = {
  contact: { yes: (turn, asked) => agreed(turn, asked) },
  newcomer: {
    other: (turn, asked, { text, exact }) =>
      answeredQuestion(turn, asked, text, Boolean(exact) && !/^\d/.test(text)),
  },
  reason: {
    other: (turn, asked, { text, exact }) =>
      /^\d$/.test(text) || (!exact && understand(text).intent === 'unknown')
        ? reason(turn, asked, text)
        : undefined,
  },
  note: {
    other: (turn, asked, { text, exact }) =>
      text.startsWith('/') ? undefined : note(turn, asked, exact === 'skip' ? undefined : text),
  },
  act: { who: 'seller', yes: done },
  draft: {
    who: 'seller',
    form: true,
    no: draft.left,
    other: (turn, asked, { text, said }) => draft.answered(turn, asked, text, said),
  },
  discard: { who: 'seller', yes: draft.discarded },
  join: {
    form: true,
    yes: (turn, asked, { text }) => joining(turn, asked, text, true),
    no: noTown,
    other(turn, asked, { text, exact }) {
      if (exact === 'anew') return begin(turn, { ...asked, anew: true });
      if (exact === 'back') return joinBack(turn, asked);
      const isRegion = asked.step === 'region' && /^\d{1,2}$/.test(text);
      return exact && !isRegion ? undefined : joining(turn, asked, text, false);
    },
  },
  code: {
    other: (turn, _, { text, exact }) => (exact ? undefined : link(turn, { text, words: [text] })),
  },
  link: { yes: linkAgreed, no: declined },
  unlink: { yes: (turn) => left(turn, { anyway: true }) },
  prove: {
    who: 'seller',
    yes(turn, asked) {
      const { number } = turn.ctx.client;
      const sure = asked.takes === undefined ? asked : { ...asked, agreed: true as const };
      return number === undefined ? askToProve(turn, sure) : prove(turn, sure, number);
    },
  },
  why: {
    // A reason may begin with any word, so only a command alone, or with digits, counts as one.
    other: (turn, asked, { text, said, exact }) =>
      exact && said?.rest.every((word) => /\d/.test(word))
        ? undefined
        : decidedWhy(turn, asked, text),
  },
  team: { yes: teamChanged },
  onward: {
    other: (turn, asked, { said, exact }) =>
      said?.rest.length === 0 && (exact === 'more' || exact === 'skip')
        ? { pending, reports }[asked.list](turn, { text: '', words: [String(asked.n)] })
        : undefined,
  },
  // Answered before the language is guessed.
  language: {},
};

/** Takes a text as the answer to the open question; undefined if it is a message of its own. */
export async function answerQuestion(
  turn: Turn,
  asked: Asked,
  text: string,
  said: Said | undefined,
): Promise<Answer | undefined> {
  const question = questions[asked.kind] as Question<typeof asked.kind>;
  const exact = said?.exact ? said.command : undefined;
  if (exact === 'no') return question.no?.(turn, asked as never);
  if (exact === 'help' && question.form) {
    turn.state.awaits = asked;
    return help(turn);
  }
  const yes = exact === 'yes' && said?.rest.length === 0 ? question.yes : undefined;
  const take = yes ?? question.other;
  if (!take) return undefined;
  return (
    turnedAway(turn, question.who ?? 'anyone') ?? take(turn, asked as never, { text, said, exact })
  );
}
