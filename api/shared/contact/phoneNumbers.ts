import {
  digitsOf,
  type Group,
  groupsOf,
  isCalm,
  kindOf,
  kindsOf,
  shapeOf,
} from '../digitGroups.ts';
import { type Folded, fold } from '../foldDigits.ts';

/** `start` and `end` refer to the original text; `number` is E.164. */
export type FoundNumber = { start: number; end: number; number: string };

/** Usual groupings of nine digits; narrow ones also count in longer rows. */
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
/** Allocated prefixes; `national` adds those that number fields accept. */
const allocated = /^(?:6[24-9]|[789]|2(?:22|33|42|43))/;
const national = /^(?:[6-9]|2(?:22|33|42|43))/;

/**
 * Finds the first phone number (decision 060): Cameroonian, or any with `+`, `00` or in a WhatsApp
 * link. Dates, hours, amounts, ranges and lists are none. Linear in the text's length.
 */
export const phoneNumberIn = (text: string): FoundNumber | undefined =>
  phoneNumbersIn(text).next().value ?? undefined;

/** Finds all phone numbers, as {@link phoneNumberIn} the first. */
export function* phoneNumbersIn(text: string): Generator<FoundNumber, undefined> {
  const folded = fold(text);
  const groups = groupsOf(folded);
  for (let at = 0; at < groups.length; at += 1) {
    const found =
      international(folded, groups, at) ?? withCountryCode(groups, at) ?? local(folded, groups, at);
    if (!found) continue;
    const [first, last] = [groups[at], groups[found.last]] as [Group, Group];
    yield { ...placeOf(folded, text, first, last), number: found.number };
    at = found.last;
  }
}

export const hasPhoneNumber = (text: string): boolean => phoneNumberIn(text) !== undefined;

/** Includes plus, brackets and invisible characters. */
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
  const inner = chars
    .slice(from, to)
    .reverse()
    .find((char) => '()[]'.includes(char));
  if ((chars[from - 1] === '(' || chars[from - 1] === '[') && (closed || inner)) {
    from -= 1;
    if (closed) to += 1;
  }
  return { start: starts[from] ?? 0, end: starts[to] ?? text.length };
}

type Match = { last: number; number: string };

function international(folded: Folded, groups: readonly Group[], at: number): Match | undefined {
  const first = groups[at] as Group;
  const before = folded.chars
    .slice(Math.max(0, first.from - 8), first.from)
    .join('')
    .toLowerCase();
  // Behind a dash or a dot: the end of a serial number.
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

/** A foreign number ends where no digits follow, at 15 digits or another kind of gap. */
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

function isInsideAmount(groups: readonly Group[], at: number, last: number): boolean {
  const [sign] = kindsOf(groups.slice(at, last + 1));
  const joins = (left: Group | undefined, other: Group | undefined) =>
    left?.gap !== undefined && other?.digits.length === 3 && kindOf(left.gap) === sign;
  return joins(groups[at - 1], groups[at - 1]) || joins(groups[last], groups[last + 1]);
}

/**
 * Any one sign, or usual ones mixed. Groups of three with commas are an amount, with stars a size.
 */
function isWritten(window: readonly Group[], shape: string): boolean {
  const kinds = kindsOf(window);
  if (shape === '111111111' || kinds.every((kind) => ' .-/_'.includes(kind))) return true;
  return new Set(kinds).size === 1 && !(shape === '333' && (kinds[0] === ',' || kinds[0] === '*'));
}

/**
 * Unusual groupings need an allocated prefix and one kind of gap; four parts with dots are an IP
 * address.
 */
function isOdd(window: readonly Group[], digits: string): boolean {
  const kinds = kindsOf(window);
  if (window.length === 2) return (window[1] as Group).digits.startsWith('0') && kinds[0] !== '.';
  const address =
    window.length === 4 &&
    kinds.every((kind) => kind === '.') &&
    window.every((group) => Number(group.digits) < 256);
  return allocated.test(digits) && new Set(kinds).size === 1 && !address;
}

/** Ends in zeros, or has a currency beside it. */
function isMoney(folded: Folded, window: readonly Group[]): boolean {
  const [first, last] = [window[0], window[window.length - 1]] as [Group, Group];
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

/** Day and month with a four-digit year, or with mixed signs (`6/12 - 15/12/26`). */
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

/** Two amounts (`7500-12000`, `200-250000`, `7 500 - 15 000`), or decimals. */
function isRange(window: readonly Group[]): boolean {
  if (window.length !== 2) return isRangeInThrees(window);
  const [first, second] = window as [Group, Group];
  const [kind] = kindsOf(window);
  if (kind === '.') return first.digits.length < 3;
  return (
    kind !== ' ' &&
    (second.digits.endsWith('000') ||
      (first.digits.length > 3 && !second.digits.startsWith('0') && second.digits.length > 3))
  );
}

function isRangeInThrees(window: readonly Group[]): boolean {
  const kinds = kindsOf(window);
  const dash = kinds.indexOf('-');
  if (dash < 1 || dash > window.length - 3) return false;
  const sides = [window.slice(0, dash + 1), window.slice(dash + 1)];
  return (
    kinds.every((kind, n) => n === dash || kind === ' ' || kind === '.') &&
    sides.every(
      ([first, ...rest]) =>
        (first?.digits.length ?? 9) < 4 &&
        rest.every((group) => group.digits.length === 3) &&
        rest[rest.length - 1]?.digits.endsWith('00'),
    )
  );
}

/** Growing sizes or quantities (`6 12 24 48 96`). */
function isList(window: readonly Group[]): boolean {
  if (window.length < 4 || allocated.test(digitsOf(window))) return false;
  return window.every(
    (group, n) => n === 0 || Number(group.digits) > Number(window[n - 1]?.digits),
  );
}

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
