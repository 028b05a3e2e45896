import * as z from 'zod/mini';
import { atMost, given } from './fields.ts';

const longest = 254;

export const normalEmail = (text: string): string => text.trim().toLowerCase();

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
