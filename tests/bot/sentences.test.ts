import { expect, test } from 'vitest';
import { model } from '../../bot/understanding/classify.ts';
import { readingOf } from '../../bot/understanding/reading.ts';
import { type Request, requestIn, saidIn } from '../../bot/understanding/request.ts';
import type { State } from '../../bot/understanding/state.ts';
import { understand } from '../../bot/understanding/understand.ts';
import { type Example, examples } from '../../dev/chat/examples.ts';
import { sources } from '../../dev/chat/train.ts';
import { languages } from '../../locales/languages.ts';

/** What the chat does with a sentence, in the words of the examples. */
const outcomes: Record<string, string> = {
  market: 'browse',
  premium: 'browse',
  standard: 'browse',
  categories: 'browse',
  places: 'browse',
  find: 'search',
  priceOf: 'price',
  mine: 'status',
  listing: 'status',
  relist: 'renew',
  report: 'scam',
  endAlert: 'alert',
  follow: 'alert',
  start: 'greeting',
};
/** Intents that name one stall. */
const ofStall = new Set(['contact', 'price', 'available', 'show', 'scam']);
/** Intents that begin or end something. */
const begins = new Set(['sell', 'sold', 'withdraw', 'renew', 'resume', 'stop']);

/** `asks` whether silence was meant. */
type Done = { intent: string; stall: number | undefined; request: Request; asks?: boolean };

function doneWith({ say, card }: Example): Done {
  const state: State = card === undefined ? {} : { card: { slot: card, code: '0a1b2c3d' } };
  const reading = readingOf({ text: say }, state, false);
  if (reading.as === 'aside')
    return {
      intent: reading.what,
      stall: undefined,
      request: { intent: 'stop', args: { text: '', words: [] } },
    };
  const { text } = reading.message;
  const request = requestIn(text, saidIn(text, state), state);
  const [first = ''] = request.args.words;
  const switches = request.intent === 'notices' ? (first === 'off' ? 'stop' : 'resume') : undefined;
  const intent = switches ?? outcomes[request.intent] ?? request.intent;
  const stall = ofStall.has(intent) && /^\d+$/.test(first) ? Number(first) : undefined;
  return { intent, stall, request, asks: reading.mayStop ?? false };
}

/** Words of the search begin as they were written: plurals and slips are the market's search's. */
const searches = ({ args }: Request, { words = [], min, max }: Example): boolean =>
  (min === undefined || args.query?.min === min) &&
  (max === undefined || args.query?.max === max) &&
  words.every((word) =>
    args.query?.words?.some((one) => one.startsWith(word.slice(0, 4)) || word.startsWith(one)),
  );

function isRight(example: Example, { intent, stall, request }: Done): boolean {
  // Words that name no goods are looked up; the chat offers choices where they find nothing.
  const looksUp = request.args.unsure || request.intent === 'unknown';
  if (example.intent === 'unknown' && intent === 'search' && looksUp) return true;
  if (example.intent === 'search' && looksUp) return true;
  if (example.intent !== intent) return false;
  if (example.intent === 'search') return searches(request, example);
  return !ofStall.has(intent) || example.stall === undefined || example.stall === stall;
}

/** Another stall than the one named, an unasked contact, a refused stop, an unasked begin. */
const isHarm = (example: Example, { intent, stall, asks }: Done): boolean =>
  (example.intent === 'stop' && intent !== 'stop' && !asks) ||
  (intent !== example.intent && (intent === 'contact' || begins.has(intent))) ||
  (stall !== undefined && stall !== (example.stall ?? example.card ?? stall));

const leastShare = 0.97;
const mostAsked = 0.001;

test.each(languages)(
  'sentences in %s mean what their writers meant, and none does harm',
  (language) => {
    const given = examples
      .filter((one) => one.language === language)
      .map((one) => ({ one, done: doneWith(one) }));
    expect(given.length).toBeGreaterThan(1500);
    const wrong = given.filter(({ one, done }) => !isRight(one, done));
    const told = ({ one, done }: (typeof wrong)[number]) =>
      `${one.say} [${one.card ?? ''}]: ${one.intent} ${one.stall ?? ''}, not ${done.intent} ${done.stall ?? ''}`;
    expect(wrong.filter(({ one, done }) => isHarm(one, done)).map(told)).toEqual([]);
    // Asked only where silence was a likely meaning.
    const asked = given.filter(({ one, done }) => one.intent !== 'stop' && done.asks);
    expect(asked.length / given.length).toBeLessThan(mostAsked);
    expect(1 - wrong.length / given.length, wrong.map(told).join('\n')).toBeGreaterThanOrEqual(
      leastShare,
    );
  },
);

test('the classifier was trained from these examples and tables: `bun run train`', () => {
  expect(model.header.sources).toBe(sources());
});

test('where silence was perhaps meant the sentence is answered, and the question asked unless there is silence', () => {
  const vague = ['je ne veux pas de ca', 'laissez ca', 'too much', 'you people no get shame'];
  const asks = (text: string, stopped: boolean, state: State = {}) => {
    const reading = readingOf({ text }, state, stopped);
    return reading.as !== 'aside' && reading.mayStop === true;
  };
  const asked = vague.filter((text) => asks(text, false));
  expect(asked.length).toBeGreaterThan(1);
  for (const text of asked) {
    expect(asks(text, true), text).toBe(false);
    expect(asks(text, false, { awaits: { kind: 'code' } }), text).toBe(false);
  }
});

test('a budget at the beginning of a sentence is a price, however large', () => {
  const { price } = understand('budget 99999999999', { card: undefined });
  expect(price).toEqual({ max: 99_999_999_999 });
});
