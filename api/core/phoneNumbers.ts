/** What may stand between the digits of a number: people write it in groups. */
const gap = String.raw`[\s.\-/()_]{0,3}`;
const digits = (least: number, most: number) => String.raw`(?:${gap}\d){${least},${most}}`;
/** `+` or `00` and a number of any country; or a Cameroon number, with or without 237. */
const written = new RegExp(String.raw`(?<!\d)(?:(?:\+|00)${gap}[1-9]${digits(7, 14)}|(?:237${gap})?[6-9]${digits(8, 8)})(?!${gap}\d)`, 'gu');
/** An amount in groups of three, with its currency. */
const amount = /\d{1,3}(?:[\s.]\d{3})+\s*(?:xaf|f\s?cfa|fcfa|frs?\b|francs?)/giu;

/** The first phone number in a text, as it stands there, in any of the ways in which people write one. */
export function phoneNumberIn(text: string): string | undefined {
  return text.normalize('NFKC').replaceAll(amount, ' ').match(written)?.[0];
}

export const hasPhoneNumber = (text: string): boolean => phoneNumberIn(text) !== undefined;
