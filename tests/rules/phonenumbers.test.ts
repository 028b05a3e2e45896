import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasPhoneNumber, phoneNumberIn } from '../../api/shared/contact/phoneNumbers.ts';
import { worldPhone } from '../../api/shared/fields.ts';
import { source } from '../support/processes.ts';

/**
 * Sentences as people write them (decision 060). The rule was written with the first file at hand;
 * the second, by the same author but unseen, gave 198 of 200. The third is by an author who did not
 * know the rule: 191 of 200 at first (95 with a number, 96 without), 196 after four fixes. `missed`
 * are those that still pass.
 */
const files = ['first', 'second', 'third'] as const;
type Sentences = { holds: string[]; missed?: string[]; free: string[] };
const sentences = (file: string): Sentences =>
  JSON.parse(readFileSync(source(`tests/rules/numbers/${file}.json`), 'utf8'));

describe.each(files)('of the %s file', (file) => {
  const { holds, missed = [], free } = sentences(file);

  test('100 sentences hold a number, and 100 do not', () => {
    expect([new Set([...holds, ...missed]).size, new Set(free).size]).toEqual([100, 100]);
    expect([...holds, ...missed].filter((text) => !hasPhoneNumber(text))).toEqual(missed);
    expect(free.filter(hasPhoneNumber)).toEqual([]);
  });

  test('each number is found where it is, with words around the sentence as well', () => {
    for (const text of holds) {
      const { start, end, number } = phoneNumberIn(text) ?? { start: 0, end: 0, number: '' };
      expect(number, text).toMatch(/^\+[1-9]\d{7,14}$/);
      expect(hasPhoneNumber(text.slice(0, start)), text).toBe(false);
      expect(text.slice(start, end).length, text).toBeGreaterThan(8);
      expect(phoneNumberIn(`Bonjour ! ${text} Merci.`)?.number, text).toBe(number);
    }
  });

  test('numbers of mobile phones go into the WhatsApp field', () => {
    const found = holds
      .map((text) => phoneNumberIn(text)?.number ?? '')
      .filter((number) => !number.startsWith('+2372'));
    expect(found.filter((number) => !worldPhone.safeParse(number).success)).toEqual([]);
  });
});

const digit = fc.integer({ min: 0, max: 9 });
const mobile = fc
  .tuple(
    fc.constantFrom('65', '67', '68', '69', '62'),
    fc.array(digit, { minLength: 7, maxLength: 7 }),
  )
  .map(([prefix, rest]) => prefix + rest.join(''))
  .filter((number) => !number.endsWith('000'));
const groupings = [
  [9],
  [3, 3, 3],
  [3, 2, 2, 2],
  [1, 2, 2, 2, 2],
  [3, 6],
  [1, 8],
  [3, 2, 4],
  [2, 2, 2, 3],
  [1, 1, 1, 1, 1, 1, 1, 1, 1],
];

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

test('any mobile number is found in the usual groupings, with one sign between them, in any digits', () => {
  const zeros = fc.constantFrom(0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xff10, 0x1d7ce, 0x1d7f6);
  const signs = fc.constantFrom(' ', '-', ' - ', '\u00a0', '_', '–');
  const unseen = fc.constantFrom('', '\u200b', '\u00ad', '\ufe0f', '\u2060', '\u034f');
  fc.assert(
    fc.property(
      mobile,
      fc.constantFrom(...groupings),
      signs,
      zeros,
      unseen,
      (number, sizes, sign, zero, hidden) => {
        const parts = sizes.map((size, n) =>
          number.slice(sum(sizes.slice(0, n)), sum(sizes.slice(0, n)) + size),
        );
        const written = [...parts.join(sign)]
          .map((char) =>
            /\d/.test(char) ? String.fromCodePoint(zero + Number(char)) + hidden : char,
          )
          .join('');
        return phoneNumberIn(`Appelez ${written} svp`)?.number === `+237${number}`;
      },
    ),
  );
});

test('days, hours and amounts are no numbers, in any of their usual spellings', () => {
  const two = (n: number) => String(n).padStart(2, '0');
  const given = fc.record({
    day: fc.integer({ min: 1, max: 31 }),
    month: fc.integer({ min: 1, max: 12 }),
    year: fc.integer({ min: 1990, max: 2060 }),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    amount: fc.integer({ min: 1, max: 99_999 }).map((n) => n * 50),
    people: fc.integer({ min: 1, max: 99 }),
    sign: fc.constantFrom('/', '-', '.'),
  });
  fc.assert(
    fc.property(given, ({ day, month, year, hour, minute, amount, people, sign }) => {
      const price = new Intl.NumberFormat('fr').format(amount);
      const texts = [
        `${day}${sign}${month}${sign}${year} ${two(hour)}:${two(minute)}`,
        `${two(day)}${sign}${two(month)}${sign}${year} ${hour}h${two(minute)}`,
        `${day}${sign}${month}${sign}${year} - ${people} pers.`,
        `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`,
        `${price} - ${new Intl.NumberFormat('fr').format(amount * 2)} FCFA`,
        `${amount}-${amount * 2} F`,
        `${price} F, le ${day}${sign}${month}`,
      ];
      return texts.every((text) => !hasPhoneNumber(text));
    }),
  );
});

test('a long text of digits is read in steps that grow with its length', () => {
  for (const piece of ['1 000 000 ', '6 ', '00', '+1 ', '6O', '6 12 ', '\ufdfa', '237 '])
    expect(hasPhoneNumber(piece.repeat(5000).slice(0, 5000)), piece).toBeDefined();
});
