import { describe, expect, test } from 'vitest';
import { isRight, newQuestion, sentenceOf } from '../../api/challenge/question.ts';
import { type ContactCounts, harvestFrom, isNewcomer, mayBeAsked, mustAnswer, waitSeconds, withinLimits } from '../../api/contact/rules.ts';
import { settingSchemas } from '../../api/settings/schema.ts';
import { dictionaries } from '../../locales/index.ts';
import { plain } from '../support/text.ts';

const initial = Object.fromEntries(Object.entries(settingSchemas).map(([name, { initial: value }]) => [name, value])) as never;
const limits = { ...(initial as Parameters<typeof harvestFrom>[1]) };
const so = (counts: Partial<ContactCounts>): ContactCounts => ({ hour: 0, day: 0, addressHour: 0, newcomers: 0, questions: 0, unsolved: 0, ...counts });

describe('the contact limit (product R22)', () => {
  test('lets the tenth request of an hour through and not the eleventh', () => {
    expect(withinLimits(so({ hour: 9, day: 9, addressHour: 9 }), limits, false)).toBe(true);
    expect(withinLimits(so({ hour: 10, day: 10, addressHour: 10 }), limits, false)).toBe(false);
  });

  test('lets the thirtieth request of a day through and not the next', () => {
    expect(withinLimits(so({ day: 29 }), limits, false)).toBe(true);
    expect(withinLimits(so({ day: 30 }), limits, false)).toBe(false);
  });

  test('has a far higher cap for an address that a whole town may share, and one of their own for its newcomers', () => {
    expect(withinLimits(so({ addressHour: 599, newcomers: 120 }), limits, false)).toBe(true);
    expect(withinLimits(so({ addressHour: 600 }), limits, false)).toBe(false);
    expect(withinLimits(so({ newcomers: 119 }), limits, true)).toBe(true);
    expect(withinLimits(so({ newcomers: 120 }), limits, true)).toBe(false);
  });
});

describe('a newcomer', () => {
  const now = new Date('2026-11-23T08:00:00Z');
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const visitor = { actor: { kind: 'visitor' }, via: 'web', client: {} } as const;
  test('is who reached nobody yet, or the first seller less than a day ago', () => {
    expect([undefined, null, ago(0), ago(23.99), ago(24)].map((since = null) => isNewcomer({ ...visitor, client: { since } }, now))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  test('is nobody with an account or a chat', () => {
    const person = { userId: 'u', sessionId: 's', name: '', email: '' };
    expect(isNewcomer({ ...visitor, actor: { kind: 'member', ...person } }, now)).toBe(false);
    for (const via of ['telegram', 'whatsapp'] as const) expect(isNewcomer({ ...visitor, via }, now)).toBe(false);
  });

  test('answers a question without a cookie, or when the address has had its first few', () => {
    expect(mustAnswer(so({ newcomers: 19 }), limits, true)).toBe(false);
    expect(mustAnswer(so({ newcomers: 20 }), limits, true)).toBe(true);
    expect(mustAnswer(so({}), limits, false)).toBe(true);
    expect([359, 360].map((questions) => mayBeAsked(so({ questions }), limits))).toEqual([true, false]);
  });

  test('waits longer the more there are, a minute at most', () => {
    const waits = [so({}), so({ newcomers: 19 }), so({ newcomers: 20 }), so({ newcomers: 20, unsolved: 20 }), so({ newcomers: 120, unsolved: 360 })];
    expect(waits.map((counts) => waitSeconds(counts, limits))).toEqual([5, 5, 10, 15, 60]);
  });
});

test('a harvest is 25 products or a third of what is live, and always more than one visitor may ask for', () => {
  expect([54, 75, 40, 30, 3].map((live) => harvestFrom(live, limits))).toEqual([18, 25, 14, 11, 11]);
  expect(harvestFrom(54, { ...limits, contactHarvestProducts: 5 })).toBe(5);
});

describe('a question', () => {
  test('is a sum or a word of a list, in whole sentences of both languages', () => {
    const sum = { kind: 'sum', a: 3, b: 9 } as const;
    expect(sentenceOf(sum, 'en')).toBe('How much is three plus nine?');
    expect(plain(sentenceOf(sum, 'fr'))).toBe('Combien font trois plus neuf ?');
    const word = { kind: 'word' as const, place: 3, words: ['table', 'river', 'market', 'chair', 'lemon'] };
    expect(sentenceOf(word, 'en')).toBe('What is the third word of this list: table, river, market, chair, lemon?');
    expect(plain(sentenceOf(word, 'fr'))).toBe('Quel est le troisième mot de cette liste : table, rivière, marché, chaise, citron ?');
  });

  test('takes digits and words, in any case, with or without accents, hyphens and spaces', () => {
    for (const answer of ['17', ' 17. ', 'seventeen', 'Dix-sept', 'dix sept', 'DIX‑SEPT', '017'])
      expect(isRight({ kind: 'sum', a: 8, b: 9 }, answer), answer).toBe(true);
    for (const answer of ['', '16', '1 7 1', 'seven', '-', '１８']) expect(isRight({ kind: 'sum', a: 8, b: 9 }, answer), answer).toBe(false);
    const word = { kind: 'word' as const, place: 2, words: ['table', 'market', 'river'] };
    for (const answer of ['market', 'Marché', 'marche ', '“market”']) expect(isRight(word, answer), answer).toBe(true);
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
