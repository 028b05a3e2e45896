import { describe, expect, test } from 'vitest';
import { toSubmission } from '../../api/drafts/rules.ts';
import { askedIn } from '../../api/search/rules.ts';
import { amountsIn, priceOf } from '../../api/shared/price.ts';
import { normalized } from '../../api/shared/search.ts';
import { emptyAnswers } from '../../site/src/features/selling/wizard/draft.ts';
import amounts from './numbers/amounts.json' with { type: 'json' };

const twentyFive = [
  '25000',
  '25 000',
  '25\u202f000',
  '25.000',
  '25,000',
  '25000 F',
  '25000F',
  '25.000 F',
  '25k',
  '25 K',
  '25k F',
  '25 mille',
  '25mille',
  '25 mille francs',
  '25 000 FCFA',
  '25 000 F CFA',
  '25000frs',
  'XAF 25,000',
  'FCFA 25 000',
  '25’000',
  '25,000.00',
  '25.000,00 FCFA',
  '25000.-',
  '25000/-',
  '25 000 FCFA TTC',
  '٢٥٠٠٠',
  '２５ ０００',
];

describe('a price as it is written', () => {
  test.each(twentyFive)('%s is 25000 in the wizard, the chat and the search', (text) => {
    expect(priceOf(text)).toBe(25_000);
    expect(toSubmission({ ...emptyAnswers, price: text }, []).price).toBe(25_000);
    expect(askedIn({ max: text }).asked.max).toBe(25_000);
    const found = amountsIn(normalized(`un frigo à ${text} svp`).split(' '));
    expect(found.map(({ value }) => value)).toEqual([25_000]);
  });

  test.each([
    ['1,5 million', 1_500_000],
    ['1.5M', 1_500_000],
    ['2 millions', 2_000_000],
    ['150 mille', 150_000],
    ['7,5k', 7500],
    ['1.500.000,00', 1_500_000],
    ['500', 500],
  ])('%s', (text, value) => {
    expect(priceOf(text)).toBe(value);
    expect(askedIn({ min: text }).asked.min).toBe(value);
  });

  test('is read as somebody wrote it who had not read the rule', () => {
    const read = (text: string) => {
      const price = priceOf(text);
      return price === undefined || Number.isNaN(price) ? null : price;
    };
    expect(Object.entries(amounts).filter(([text, value]) => read(text) !== value)).toEqual([]);
  });

  test('is undefined if empty, and no number if it is none', () => {
    expect(priceOf('  ')).toBeUndefined();
    for (const text of ['cheap', '25 pieces', '1.2.3', '25-30', 'k', '1e9', 'F', '9'.repeat(50)])
      expect(priceOf(text), text).toBeNaN();
    expect(priceOf('25,5')).toBe(25.5);
    expect(askedIn({ max: '-5' }).notes).toEqual(['priceUnknown']);
  });

  test('in a sentence takes its thousands and its unit, not the number of a stall', () => {
    const of = (text: string) =>
      amountsIn(normalized(text).split(' ')).map(({ value, sure }) => [value, sure]);
    expect(of('entre 25k et 1,5 million')).toEqual([
      [25_000, true],
      [1_500_000, true],
    ]);
    expect(of('le contact du 12')).toEqual([[12, false]]);
    expect(of('Samsung A14 128go')).toEqual([]);
    expect(of('prix 5000 20000')).toEqual([
      [5000, false],
      [20_000, true],
    ]);
  });
});
