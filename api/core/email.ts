import * as z from 'zod/mini';

/** An address as it is kept and compared: without white space around it, in small letters. */
export const normalEmail = (text: string): string => text.trim().toLowerCase();

/** An email address, normalised before it is judged. Every form, command and provider that names one uses it. */
export const email = z.pipe(z.pipe(z.string(), z.transform(normalEmail)), z.string().check(z.minLength(1, 'required'), z.maxLength(254), z.email()));

/** An address that its owner recognises and others cannot use: `m•••@e•••.com`. */
export function maskedEmail(address: string): string {
  const [, local = '', domain = ''] = /^(.*)@(.*)$/.exec(address) ?? [];
  const [first = ''] = local;
  const [of = ''] = domain;
  const end = domain.slice(domain.lastIndexOf('.'));
  return `${first}•••@${of}•••${end.startsWith('.') ? end : ''}`;
}
