import { describe, expect, test } from 'vitest';
import { isRight, newQuestion, sentenceOf } from '../../api/challenge/question.ts';
import {
  type ContactCounts,
  harvestFrom,
  isNewcomer,
  mustAnswer,
  type NewcomerCounts,
  turnSeconds,
  waitSeconds,
  withinLimits,
} from '../../api/contact/rules.ts';
import { settingSchemas } from '../../api/settings/schema.ts';
import { dictionaries } from '../../locales/index.ts';
import { plain } from '../support/text.ts';

const initial = Object.fromEntries(
  Object.entries(settingSchemas).map(([name, { initial: value }]) => [name, value]),
) as never;
const limits = { ...(initial as Parameters<typeof harvestFrom>[1]) };
const so = (counts: Partial<ContactCounts>): ContactCounts => ({
  hour: 0,
  day: 0,
  known: 0,
  newcomers: 0,
  ...counts,
});
const none = { contacts: 0, wrong: 0 };
const hourOf = (counts: Partial<NewcomerCounts>): NewcomerCounts => ({
  looked: none,
  others: none,
  numbers: 0,
  given: false,
  sinceLooked: null,
  sinceOther: null,
  sinceNumber: null,
  questions: 0,
  ...counts,
});

describe('the contact limit (product R22)', () => {
  test('lets the tenth request of an hour through and not the eleventh', () => {
    expect(withinLimits(so({ hour: 9, day: 9, known: 9 }), limits, false)).toBe(true);
    expect(withinLimits(so({ hour: 10, day: 10, known: 10 }), limits, false)).toBe(false);
  });

  test('lets the thirtieth request of a day through and not the next', () => {
    expect(withinLimits(so({ day: 29 }), limits, false)).toBe(true);
    expect(withinLimits(so({ day: 30 }), limits, false)).toBe(false);
  });

  test('has a far higher cap for an address that a whole town may share, for known visitors and newcomers each', () => {
    for (const newcomer of [true, false]) {
      const [mine, theirs] = newcomer
        ? (['newcomers', 'known'] as const)
        : (['known', 'newcomers'] as const);
      expect(withinLimits(so({ [mine]: 599, [theirs]: 5000 }), limits, newcomer)).toBe(true);
      expect(withinLimits(so({ [mine]: 600 }), limits, newcomer)).toBe(false);
    }
  });
});

describe('a newcomer', () => {
  const now = new Date('2026-11-23T08:00:00Z');
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const visitor = { actor: { kind: 'visitor' }, via: 'web', client: {} } as const;
  test('is who reached nobody yet, or the first seller less than a day ago', () => {
    expect(
      [undefined, null, ago(0), ago(23.99), ago(24)].map((since = null) =>
        isNewcomer({ ...visitor, client: { since } }, now),
      ),
    ).toEqual([true, true, true, true, false]);
  });

  test('is nobody with an account on the web, and a chat for a day', () => {
    const person = { userId: 'u', sessionId: 's', name: '', email: '', agreedTo: null };
    expect(isNewcomer({ ...visitor, actor: { kind: 'member', ...person } }, now)).toBe(false);
    for (const via of ['telegram', 'whatsapp'] as const)
      expect(isNewcomer({ ...visitor, via }, now)).toBe(true);
  });

  test('answers a question without a cookie, or when the half of the free contacts of its kind is used up', () => {
    const others = { cookie: true, looked: false };
    const looked = { cookie: true, looked: true };
    const used = (contacts: number) => ({ contacts, wrong: 0 });
    expect([9, 10].map((n) => mustAnswer(hourOf({ others: used(n) }), limits, others))).toEqual([
      false,
      true,
    ]);
    expect(
      [9, 10].map((n) =>
        mustAnswer(hourOf({ others: used(500), looked: used(n) }), limits, looked),
      ),
    ).toEqual([false, true]);
    expect(mustAnswer(hourOf({}), limits, { cookie: false, looked: false })).toBe(true);
    // An odd one goes to visitors with a counted view.
    expect(
      [looked, others].map((visitor) =>
        mustAnswer(hourOf({}), { ...limits, contactNewcomersFree: 1 }, visitor),
      ),
    ).toEqual([false, true]);
  });

  test('waits longer with each twenty contacts and wrong answers of its own kind, a minute at most', () => {
    const tallies = [
      none,
      { contacts: 19, wrong: 0 },
      { contacts: 20, wrong: 0 },
      { contacts: 20, wrong: 20 },
      { contacts: 400, wrong: 0 },
    ];
    expect(
      tallies.map((looked) =>
        waitSeconds(hourOf({ looked, others: { contacts: 400, wrong: 400 } }), limits, true),
      ),
    ).toEqual([5, 5, 10, 15, 60]);
    expect(
      tallies.map((others) =>
        waitSeconds(hourOf({ others, looked: { contacts: 400, wrong: 400 } }), limits, false),
      ),
    ).toEqual([5, 5, 10, 15, 60]);
    // Beyond the free share the wait is a minute, in which a counted view grows old enough.
    expect(
      [59, 60].map((contacts) =>
        waitSeconds(hourOf({ others: { contacts, wrong: 0 } }), limits, false),
      ),
    ).toEqual([15, 60]);
  });

  test('who did not look around takes turns beyond sixty contacts, one a minute', () => {
    const turnAfter = (contacts: number, sinceOther: number | null, looked = false) =>
      turnSeconds(hourOf({ others: { contacts, wrong: 0 }, sinceOther }), limits, looked);
    expect([
      turnAfter(59, 0),
      turnAfter(60, 0),
      turnAfter(60, 1.5),
      turnAfter(60, 60),
      turnAfter(300, null),
    ]).toEqual([0, 60, 59, 0, 0]);
    expect(turnAfter(300, 0, true)).toBe(0);
  });

  test('who looked around takes turns beyond 300 contacts, one every twenty seconds: 600 an hour with all others', () => {
    const turnAfter = (contacts: number, sinceLooked: number, looked = true) =>
      turnSeconds(hourOf({ looked: { contacts, wrong: 0 }, sinceLooked }), limits, looked);
    expect([
      turnAfter(299, 0),
      turnAfter(300, 0),
      turnAfter(300, 17.5),
      turnAfter(300, 20),
    ]).toEqual([0, 20, 3, 0]);
    expect(turnAfter(400, 0, false)).toBe(0);
    // A turn comes within a minute with any settings.
    expect(
      turnSeconds(
        hourOf({ looked: { contacts: 60, wrong: 0 }, sinceLooked: 0 }),
        { ...limits, contactPerAddressPerHour: 100 },
        true,
      ),
    ).toBe(60);
  });

  test('takes turns for a number that no newcomer of the address has had, beyond sixty different ones', () => {
    const turnAfter = (counts: Partial<NewcomerCounts>) =>
      [true, false].map((looked) =>
        turnSeconds(hourOf({ sinceNumber: 10, ...counts }), limits, looked),
      );
    expect(turnAfter({ numbers: 59 })).toEqual([0, 0]);
    expect(turnAfter({ numbers: 60 })).toEqual([50, 50]);
    expect(turnAfter({ numbers: 100, given: true })).toEqual([0, 0]);
  });

  test('takes turns from the first contact on where the setting is lower than the turns of an hour, and longer ones where it says so', () => {
    const turnAfter = (changed: object) =>
      turnSeconds(
        hourOf({ others: { contacts: 20, wrong: 0 }, sinceOther: 0 }),
        { ...limits, ...changed },
        false,
      );
    expect(turnAfter({ contactNewcomersPerHour: 0 })).toBe(60);
    expect(turnAfter({ contactNewcomersPerHour: 26, contactTurnSeconds: 600 })).toBe(600);
    expect(turnAfter({ contactNewcomersPerHour: 27, contactTurnSeconds: 600 })).toBe(0);
  });
});

test('a harvest is 25 products or a third of what is live, and always more than one visitor may ask for', () => {
  expect([54, 75, 40, 30, 3].map((live) => harvestFrom(live, limits))).toEqual([
    18, 25, 14, 11, 11,
  ]);
  expect(harvestFrom(54, { ...limits, contactHarvestProducts: 5 })).toBe(5);
});

describe('a question', () => {
  test('is a sum or a word of a list, in whole sentences of both languages', () => {
    const sum = { kind: 'sum', a: 3, b: 9 } as const;
    expect(sentenceOf(sum, 'en')).toBe('How much is three plus nine?');
    expect(plain(sentenceOf(sum, 'fr'))).toBe('Combien font trois plus neuf ?');
    const word = {
      kind: 'word' as const,
      place: 3,
      words: ['table', 'river', 'market', 'chair', 'lemon'],
    };
    expect(sentenceOf(word, 'en')).toBe(
      'What is the third word of this list: table, river, market, chair, lemon?',
    );
    expect(plain(sentenceOf(word, 'fr'))).toBe(
      'Quel est le troisième mot de cette liste : table, rivière, marché, chaise, citron ?',
    );
  });

  test('takes digits and words, in any case, with or without accents, hyphens and spaces', () => {
    for (const answer of ['17', ' 17. ', 'seventeen', 'Dix-sept', 'dix sept', 'DIX‑SEPT', '017'])
      expect(isRight({ kind: 'sum', a: 8, b: 9 }, answer), answer).toBe(true);
    for (const answer of ['', '16', '1 7 1', 'seven', '-', '１８'])
      expect(isRight({ kind: 'sum', a: 8, b: 9 }, answer), answer).toBe(false);
    const word = { kind: 'word' as const, place: 2, words: ['table', 'market', 'river'] };
    for (const answer of ['market', 'Marché', 'marche ', '“market”'])
      expect(isRight(word, answer), answer).toBe(true);
    for (const answer of ['', 'table', 'mark']) expect(isRight(word, answer), answer).toBe(false);
  });

  test('made by chance can always be answered, in both languages', () => {
    for (let n = 0; n < 300; n++) {
      const question = newQuestion();
      for (const language of ['en', 'fr'] as const) {
        expect(sentenceOf(question, language)).not.toMatch(/undefined|\{\{/);
        const { numbers, words } = dictionaries[language].shop.question;
        const answer =
          question.kind === 'sum'
            ? numbers[`n${question.a + question.b}` as keyof typeof numbers]
            : words[question.words[question.place - 1] as keyof typeof words];
        expect(isRight(question, answer)).toBe(true);
      }
      if (question.kind === 'word') expect(new Set(question.words).size).toBe(5);
    }
  });
});
