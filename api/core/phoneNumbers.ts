import { digitsOf, type Group, groupsOf, isCalm, kindOf, kindsOf, shapeOf } from './digitGroups.ts';
import { type Folded, fold } from './foldDigits.ts';

/** A phone number in a text: its place in the text as it was given, and its E.164 form. */
export type FoundNumber = { start: number; end: number; number: string };

/** Groupings of nine digits in which people write a number. The narrow ones also count inside a longer row of digits. */
const narrow = new Set(['9', '333', '3222', '12222', '36', '18', '111111111']);
const usual = new Set([
  ...narrow,
  '324',
  '342',
  '63',
  '27',
  '2223',
  '22221',
  '144',
  '234',
  '1233',
  '1323',
]);
const currencies = new Set([
  'xaf',
  'fcfa',
  'cfa',
  'f',
  'fr',
  'frs',
  'franc',
  'francs',
  'euro',
  'euros',
  'usd',
  'naira',
]);
/** Prefixes that the numbering plan gives to mobile and fixed lines, and those that the market's number fields accept besides. */
const allocated = /^(?:6[24-9]|[789]|2(?:22|33|42|43))/;
const national = /^(?:[6-9]|2(?:22|33|42|43))/;

/**
 * The first phone number in a text (decision 060): a Cameroonian one, or any with `+`, `00` or in a WhatsApp link, in the
 * groupings that people use. Dates, hours, amounts, ranges and lists are none. Takes time linear in the text's length.
 */
export function phoneNumberIn(text: string): FoundNumber | undefined {
  const folded = fold(text);
  const groups = groupsOf(folded);
  for (let at = 0; at < groups.length; at += 1) {
    const found =
      international(folded, groups, at) ?? withCountryCode(groups, at) ?? local(folded, groups, at);
    if (!found) continue;
    const [first, last] = [groups[at], groups[found.last]] as [Group, Group];
    return { ...placeOf(folded, text, first, last), number: found.number };
  }
  return undefined;
}

export const hasPhoneNumber = (text: string): boolean => phoneNumberIn(text) !== undefined;

/** The number's place in the given text, with its plus, its brackets, and what is unseen around its digits. */
function placeOf(
  { chars, starts }: Folded,
  text: string,
  first: Group,
  last: Group,
): { start: number; end: number } {
  let { from } = first;
  let { to } = last;
  if (first.plus) from = chars.lastIndexOf('+', from - 1);
  const closed = chars[to] === ')' || chars[to] === ']';
  const inner = chars.slice(from, to).findLast((char) => '()[]'.includes(char));
  if ((chars[from - 1] === '(' || chars[from - 1] === '[') && (closed || inner)) {
    from -= 1;
    if (closed) to += 1;
  }
  return { start: starts[from] ?? 0, end: starts[to] ?? text.length };
}

type Match = { last: number; number: string };

/** Reads `+` or `00` with a country code, and links such as wa.me. */
function international(folded: Folded, groups: readonly Group[], at: number): Match | undefined {
  const first = groups[at] as Group;
  const before = folded.chars
    .slice(Math.max(0, first.from - 8), first.from)
    .join('')
    .toLowerCase();
  // Behind a dash or a dot it is the end of a serial number.
  const attached = /^\S+$/.test(groups[at - 1]?.gap ?? '');
  const zeros = !first.glued && !attached && first.digits.startsWith('00');
  const after = groups[at + 1]?.digits ?? '';
  const exit =
    zeros &&
    (/^00[1-9]\d{2}/.test(first.digits) ||
      /^00[1-9]\d$/.test(first.digits) ||
      (first.digits === '00' && after.startsWith('237')));
  if (!first.plus && !exit && !before.endsWith('wa.me/') && !before.endsWith('phone='))
    return undefined;
  let digits = '';
  for (let last = at; last < groups.length; last += 1) {
    const group = groups[last] as Group;
    if (last > at && group.plus) return undefined;
    digits += last === at && exit ? group.digits.slice(2) : group.digits;
    if (digits.length > 15) return undefined;
    if (digits.startsWith('237')) {
      const own = digits.slice(3).replace(/^0/, '');
      if (own.length === 9 && national.test(own)) return { last, number: `+237${own}` };
      if (own.length > 9) return undefined;
    } else if (digits.length >= 8 && isEnd(groups, last, at, digits.length)) {
      const window = groups.slice(at, last + 1);
      const filed = exit && kindsOf(window).includes('/');
      return digits.startsWith('0') || filed || isDate(window) || isMoney(folded, window)
        ? undefined
        : { last, number: `+${digits}` };
    }
    if (group.gap === undefined) return undefined;
  }
  return undefined;
}

/** A number of another country may have up to 15 digits: it ends where no digits follow, or only behind another kind of gap. */
function isEnd(groups: readonly Group[], last: number, at: number, length: number): boolean {
  const { gap, digits } = groups[last] as Group;
  const next = groups[last + 1];
  if (gap === undefined || !next || next.plus || digits.length >= 8) return true;
  return (
    length + next.digits.length > 15 ||
    (/\s/.test(gap) && kindOf(gap) !== ' ') ||
    (last > at + 1 && kindOf(gap) !== kindOf(groups[last - 1]?.gap ?? ''))
  );
}

/** Reads 237 and nine digits, or a nought and nine digits. */
function withCountryCode(groups: readonly Group[], at: number): Match | undefined {
  const first = groups[at] as Group;
  if (first.digits.startsWith('237') || (first.digits.length < 3 && first.digits.startsWith('2'))) {
    const window = take(groups, at, 12);
    const digits = digitsOf(window);
    if (
      window &&
      digits.startsWith('237') &&
      national.test(digits.slice(3)) &&
      !isDate(window) &&
      !(shapeOf(window) === '3333' && digits.endsWith('000000'))
    )
      return { last: at + window.length - 1, number: `+${digits}` };
  }
  if (!first.digits.startsWith('0')) return undefined;
  const window = take(groups, at, 10);
  const own = digitsOf(window).slice(1);
  if (!window || !/^6[24-9]/.test(own)) return undefined;
  const shape = shapeOf(window);
  const whole =
    first.digits.length === 1
      ? narrow.has(shape.slice(1))
      : ['A', '22222', '433', '4222'].includes(shape);
  return whole && isCalm(window)
    ? { last: at + window.length - 1, number: `+237${own}` }
    : undefined;
}

/** Reads nine digits as they are written within Cameroon. */
function local(folded: Folded, groups: readonly Group[], at: number): Match | undefined {
  if (!/^[26-9]/.test((groups[at] as Group).digits)) return undefined;
  const window = take(groups, at, 9);
  const digits = digitsOf(window);
  if (!window || !national.test(digits)) return undefined;
  const last = at + window.length - 1;
  const before = groups[at - 1];
  const alone = before?.gap === undefined && groups[last]?.gap === undefined;
  const shape = shapeOf(window);
  if (shape === '18' && !digits.startsWith('6')) return undefined;
  if (window.some(({ letters }) => letters > 0)) {
    const read = window.reduce((sum, group) => sum + group.letters, 0);
    if (read > 3 || !allocated.test(digits) || !narrow.has(shape)) return undefined;
  }
  if (!alone) {
    if (!narrow.has(shape) || !allocated.test(digits)) return undefined;
    if (shape === '333' && isInsideAmount(groups, at, last)) return undefined;
  }
  if (
    shape !== '111111111' &&
    (isMoney(folded, window) || isDate(window) || isRange(window) || isList(window))
  )
    return undefined;
  if (!usual.has(shape) && !isOdd(window, digits)) return undefined;
  return isWritten(window, shape) ? { last, number: `+237${digits}` } : undefined;
}

/** True where three groups of three go on, by the same sign, as a longer amount does. */
function isInsideAmount(groups: readonly Group[], at: number, last: number): boolean {
  const [sign] = kindsOf(groups.slice(at, last + 1));
  const joins = (left: Group | undefined, other: Group | undefined) =>
    left?.gap !== undefined && other?.digits.length === 3 && kindOf(left.gap) === sign;
  return joins(groups[at - 1], groups[at - 1]) || joins(groups[last], groups[last + 1]);
}

/** Judges the signs between the groups: any single kind, or usual ones mixed; commas make an amount and stars a size of three. */
function isWritten(window: readonly Group[], shape: string): boolean {
  const kinds = kindsOf(window);
  if (shape === '111111111' || kinds.every((kind) => ' .-/_'.includes(kind))) return true;
  return new Set(kinds).size === 1 && !(shape === '333' && (kinds[0] === ',' || kinds[0] === '*'));
}

/** A grouping of no custom is a number by its prefix, with one kind of gap; four parts with dots are an address of the internet. */
function isOdd(window: readonly Group[], digits: string): boolean {
  const kinds = kindsOf(window);
  if (window.length === 2) return (window[1] as Group).digits.startsWith('0') && kinds[0] !== '.';
  const address =
    window.length === 4 &&
    kinds.every((kind) => kind === '.') &&
    window.every((group) => Number(group.digits) < 256);
  return allocated.test(digits) && new Set(kinds).size === 1 && !address;
}

/** An amount: it ends in noughts, or has a currency beside it. */
function isMoney(folded: Folded, window: readonly Group[]): boolean {
  const [first, last] = [window[0], window.at(-1)] as [Group, Group];
  const digits = digitsOf(window);
  const threes =
    window.slice(1).every((group) => group.digits.length === 3) && first.digits.length <= 3;
  if (window.length > 1 && !threes) return false;
  if (digits.endsWith('000000') || (first.plus && window.length > 1 && digits.length < 10))
    return true;
  if (window.length === 1 && !digits.endsWith('000')) return false;
  const after = folded.chars
    .slice(last.to, last.to + 9)
    .join('')
    .trimStart()
    .toLowerCase();
  const before = folded.chars
    .slice(Math.max(0, first.from - 6), first.from)
    .join('')
    .trimEnd()
    .toLowerCase();
  const word = /^\p{L}{0,6}/u.exec(after)?.[0] ?? '';
  return currencies.has(word) || /^[$€£]/.test(after) || /(?:xaf|fcfa|cfa|usd|[$€£])$/.test(before);
}

const isDay = ({ digits }: Group): boolean =>
  digits.length < 3 && Number(digits) >= 1 && Number(digits) <= 31;
const isYear = (group: Group | undefined): boolean =>
  group !== undefined && /^(?:19|20)\d\d$/.test(group.digits);

/** A day and a month with a year of four digits, or among different signs (`6/12 - 15/12/26`). */
function isDate(window: readonly Group[]): boolean {
  const kinds = kindsOf(window);
  const calm = isCalm(window);
  return window.some((group, n) => {
    const next = window[n + 1];
    if (
      !next ||
      !isDay(group) ||
      !isDay(next) ||
      Math.min(Number(group.digits), Number(next.digits)) > 12
    )
      return false;
    if (isYear(window[n + 2]) || isYear(window[n - 1])) return true;
    return !calm && '/.-'.includes(kinds[n] ?? ' ');
  });
}

/** Two amounts with a dash between them (`7500-12000`, `200-250000`), or a number with decimals. */
function isRange(window: readonly Group[]): boolean {
  if (window.length !== 2) return false;
  const [first, second] = window as [Group, Group];
  const [kind] = kindsOf(window);
  if (kind === '.') return first.digits.length < 3;
  return (
    kind !== ' ' &&
    (second.digits.endsWith('000') ||
      (first.digits.length > 3 && !second.digits.startsWith('0') && second.digits.length > 3))
  );
}

/** Sizes or quantities that grow (`6 12 24 48 96`). */
function isList(window: readonly Group[]): boolean {
  if (window.length < 4 || allocated.test(digitsOf(window))) return false;
  return window.every(
    (group, n) => n === 0 || Number(group.digits) > Number(window[n - 1]?.digits),
  );
}

/** The groups from one on that have so many digits together; undefined where no group ends there. */
function take(groups: readonly Group[], at: number, want: number): Group[] | undefined {
  let length = 0;
  for (let n = at; n < groups.length; n += 1) {
    const group = groups[n] as Group;
    length += group.digits.length;
    if (length === want) return groups.slice(at, n + 1);
    if (length > want || group.gap === undefined) return undefined;
  }
  return undefined;
}
