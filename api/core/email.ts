import * as z from 'zod/mini';
import { atMost, given } from './fields.ts';

const longest = 254;

/** An address as it is kept and compared: without white space around it, in small letters. */
export const normalEmail = (text: string): string => text.trim().toLowerCase();

/** An email address, normalised before it is judged. Every form, command and provider that names one uses it. */
export const email = z.pipe(
  z.pipe(given(longest), z.transform(normalEmail)),
  z.string().check(atMost(longest), z.minLength(1, 'required'), z.email()),
);

/** An address that its owner recognises and others cannot use: `m•••@e•••.com`. */
export function maskedEmail(address: string): string {
  const [first = ''] = address;
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const [of = ''] = domain;
  const end = domain.slice(domain.lastIndexOf('.'));
  return `${first}•••@${of}•••${end.startsWith('.') ? end : ''}`;
}
