import { fold } from '../foldDigits.ts';

/** Signs between digits; a currency is none. */
const separators = /[\s\p{Po}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc}\p{So}\p{Sk}<>=|~\u2044\u2212]/gu;
const inLink = /(?:\bwa\.me\/|[?&]phone=)(?:\+|%2b|%20|\s)*(\d{6,17})(?!\d)/g;
/** Query of a link, or parameters of a `tel:` address. */
const parameters = /[?&#]|;[a-z-]{1,20}=/;
const labelBefore = /^[\p{L}\s.°'’*-]{0,40}[\s.°'’*-](?=[^\p{L}]|[oO]{1,2}\d)/u;
const labelBehind = /[\s.(-]{0,4}(?:whats ?app|wa|mobile|t[eé]l)\)?$/;
/** "(0)" behind a country code. */
const trunkZero = /(\d[\s.-]*)\(\s*0\s*\)/;

/**
 * E.164 number that a typed or pasted text stands for, undefined if none (product R23). Reads
 * links, labels, other scripts' digits and any separators; Cameroon's code may be left out.
 */
export function readPhone(text: string): string | undefined {
  const plain = fold(text).chars.join('').trim().toLowerCase();
  const [linked, another] = plain.matchAll(inLink);
  if (linked) return another ? undefined : e164(linked[1] ?? '', true);
  const address = /\p{L}/u.test(plain) ? plain.slice(labelEnd(plain)) : plain;
  const bare = (address.split(parameters, 1)[0] ?? '')
    .replaceAll('%20', ' ')
    .replace('%2b', '+')
    .replace(labelBehind, '')
    .replace(labelBefore, '')
    .replace(trunkZero, '$1')
    .replaceAll(separators, '')
    // The field's own code, then a pasted one.
    .replace(/^(?:00|\+)?237\+/, '+');
  // Keyboards put O and l beside 0 and 1.
  const [, plus, digits = ''] = /^(\+*)([\doil]*)$/.exec(bare) ?? [];
  return e164(digits.replaceAll('o', '0').replaceAll(/[il]/g, '1'), plus !== '');
}

/** Index behind the last colon ahead of a link's query. */
function labelEnd(text: string): number {
  const query = text.search(/[?&#]/);
  return text.slice(0, query < 0 ? text.length : query).lastIndexOf(':') + 1;
}

function e164(digits: string, hasCode: boolean): string | undefined {
  const number = digits.replace(/^00/, '');
  if (number.startsWith('237')) {
    const [, own] = /^(?:(?:00)?2370?)+((?:[6-9]\d|2[2-4])\d{7})$/.exec(number) ?? [];
    return own && `+237${own}`;
  }
  if (hasCode || number !== digits)
    return /^[1-9]\d{6,14}$/.test(number) ? `+${number}` : undefined;
  return /^(?:[6-9]\d|2[2-4])\d{7}$/.test(number) ? `+237${number}` : undefined;
}

/** Shows an E.164 number in groups: `+237 6XX XX XX XX`; others as stored. */
export const phoneText = (number: string): string =>
  number.replace(/^(\+237)(\d{3})(\d\d)(\d\d)(\d\d)$/, '$1 $2 $3 $4 $5');
