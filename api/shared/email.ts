import * as z from 'zod/mini';
import { atMost, given } from './fields.ts';

const longest = 254;

/** White space, and the invisible characters that come with what is copied. */
const around = /[\s\u200b-\u200f\u202a-\u202c\u2060\u2066-\u2069\ufeff]/;
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && around.test(text.charAt(from))) from++;
  while (to > from && around.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** The address in a pasted text: `Ama <mailto:ama@example.org?subject=Hi>` too. */
export function normalEmail(text: string): string {
  const whole = trimmed(text);
  const open = whole.endsWith('>') ? whole.lastIndexOf('<') : -1;
  const inside = open < 0 ? whole : whole.slice(open + 1, -1);
  const address = trimmed(inside).toLowerCase();
  if (!address.startsWith('mailto:')) return address;
  return trimmed(address.slice('mailto:'.length).split('?', 1)[0] ?? '');
}

/** An email address, normalised before validation. */
export const email = z.pipe(
  z.pipe(given(longest), z.transform(normalEmail)),
  z.string().check(atMost(longest), z.minLength(1, 'required'), z.email()),
);

/** Masks an address so that only its owner recognises it: `m•••@e•••.com`. */
export function maskedEmail(address: string): string {
  const [first = ''] = address;
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const [of = ''] = domain;
  const end = domain.slice(domain.lastIndexOf('.'));
  return `${first}•••@${of}•••${end.startsWith('.') ? end : ''}`;
}
