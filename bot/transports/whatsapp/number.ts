import type { Sender } from '../../../api/core/chatMessages.ts';

/** E.164 number from a WhatsApp user id, or undefined. */
export function numberOf(id: string | undefined): string | undefined {
  const digits = (id ?? '').replaceAll(/[\s()+.-]/g, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined;
}

/**
 * Today's number of an id from before November 2014, when Cameroon put a 6 before its eight-digit
 * mobile numbers; undefined for other ids.
 */
export function todaysNumber(id: string | undefined): string | undefined {
  const [, eight] = /^\+237([79]\d{7})$/.exec(numberOf(id) ?? '') ?? [];
  return eight && `+2376${eight}`;
}

/**
 * The number that an id proves, or that it is read as.
 * @param confirmed WhatsApp itself said that the id and today's number are one account
 */
export function senderOf(id: string | undefined, confirmed = false): Sender {
  const today = todaysNumber(id);
  if (today) return confirmed ? { number: today } : { oldNumber: today };
  const number = numberOf(id);
  return number === undefined ? {} : { number };
}
