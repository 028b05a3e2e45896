import { fold } from './foldDigits.ts';

/**
 * Amounts in XAF as they are written in Cameroon: `25000`, `25 000 FCFA TTC`, `25.000 F`,
 * `25,000.00`, `25000/-`, `25k`, `25 mille`, `1,5 million`, in digits of any script. The wizard, the
 * search and the chat all read them here.
 */

/** Longer texts hold no amount that could be meant. */
const longest = 40;
const mostDigits = 15;

const spaces = /[\s\u00a0\u202f]/g;
/** "25000.-", "25000/-" */
const dashAtEnd = /[.,/]?[-–—=]{1,2}$/;

const currency = /^(?:xaf|f\.?c\.?f\.?a|cfa|frs?(?:cfa)?|francs?(?:cfa)?|f)[.:]?/i;
const currencyAtEnd = /(?:xaf|f\.?c\.?f\.?a|cfa|frs?(?:cfa)?|francs?(?:cfa)?|f)\.?$/i;
const before = /^(?:prix|price):?/i;
const behind = /(?:[aà]d[eé]battre|n[eé]gociable|negotiable|ttc|ht|net)?\.?$/i;
const times: readonly (readonly [RegExp, number])[] = [
  [/(?:millions?|mio|m)$/i, 1_000_000],
  [/(?:mille|mil|thousand|k)$/i, 1000],
];

/**
 * The amount that a whole text states; undefined if the text is empty, NaN if it is no amount.
 * Decimals are kept, so that a form can refuse them.
 */
export function priceOf(text: string): number | undefined {
  const bare = fold(text.slice(0, longest))
    .chars.join('')
    .replace(spaces, '')
    .replaceAll('\u066c', ',')
    .replaceAll('\u066b', '.');
  if (bare === '') return undefined;
  if (text.length > longest && text.trim().length > longest) return Number.NaN;
  const amount = bare
    .replace(before, '')
    .replace(behind, '')
    .replace(currency, '')
    .replace(currencyAtEnd, '')
    .replace(dashAtEnd, '');
  const [sign, by] = times.find(([unit]) => unit.test(amount)) ?? [undefined, 1];
  const digits = sign ? amount.replace(sign, '') : amount;
  const [, groups, decimals] = /^(\d{1,3}(?:[.,'’]\d{3})+)(?:[.,](\d{1,2}))?$/.exec(digits) ?? [];
  const whole = groups
    ? `${groups.replace(/[.,'’]/g, '')}.${decimals ?? 0}`
    : digits.replace(',', '.');
  if (!/^-?\d{1,15}(?:\.\d{1,15})?$/.test(whole)) return Number.NaN;
  return by === 1 ? Number(whole) : Math.round(Number(whole) * by);
}

/**
 * An amount within a text, with the tokens it takes. `sure`: it has a unit, or five digits. `by` is
 * its unit: 1, a thousand or a million.
 */
export type Amount = { value: number; from: number; to: number; sure: boolean; by: number };

const thousands = new Set(['k', 'mille', 'mil', 'thousand', 'kolo', 'kolos']);
const millions = new Set(['million', 'millions', 'mio']);
const taxes = new Set(['ttc', 'ht']);
const currencies = new Set(['f', 'fr', 'frs', 'franc', 'francs', 'fcfa', 'cfa', 'xaf']);

/** Amounts among the tokens of a sentence, as `normalized` leaves them, in their order. */
export function amountsIn(tokens: readonly string[]): Amount[] {
  const found: Amount[] = [];
  const plain = tokens.map((token) => fold(token).chars.join(''));
  for (let at = 0; at < plain.length; at++) {
    const [, digits = '', unit = ''] = /^(\d{1,15})([a-z]{0,8})$/.exec(plain[at] as string) ?? [];
    if (digits === '') continue;
    const from = currencies.has(plain[at - 1] ?? '') ? at - 1 : at;
    let to = at + 1;
    let number = digits;
    let half = 0;
    if (unit === '' && digits.length <= 3)
      while (/^\d{3}$/.test(plain[to] ?? '') && number.length + 3 <= mostDigits)
        number += plain[to++];
    // The decimals of `25.000,00`.
    if (unit === '' && plain[to] === '00' && number.length > 3) to++;
    // The comma of `1,5 million` is gone.
    if (number === digits && /^\d$/.test(plain[to] ?? '') && millions.has(plain[to + 1] ?? ''))
      half = Number(plain[to++]) / 10;
    const last = /^\d{3}([a-z]{1,8})$/.exec(plain[to] ?? '');
    let word = unit;
    if (unit === '' && digits.length <= 3 && last && currencies.has(last[1] as string)) {
      number += (plain[to++] as string).slice(0, 3);
      word = last[1] as string;
    } else if (unit === '' && isUnit(plain[to] ?? '')) word = plain[to++] as string;
    else if (unit !== '' && !isUnit(unit)) continue;
    // Never within an amount in thousands: `100 150 mille` are two.
    if (number !== digits && isMultiple(word) && last?.[1] !== word) {
      number = digits;
      to = at + 1;
      word = '';
    }
    const by = thousands.has(word) ? 1000 : millions.has(word) ? 1_000_000 : 1;
    while (currencies.has(plain[to] ?? '') || taxes.has(plain[to] ?? '')) to++;
    found.push({
      value: Math.round((Number(number) + half) * by),
      from,
      to,
      sure: word !== '' || from < at || number.length >= 5,
      by,
    });
    at = to - 1;
  }
  return found;
}

const isMultiple = (word: string): boolean => thousands.has(word) || millions.has(word);
const isUnit = (word: string): boolean => isMultiple(word) || currencies.has(word);
