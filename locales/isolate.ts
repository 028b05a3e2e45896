/** Letters that run from right to left, the marks that stand for one, and what turns a text around; the ranges are Unicode's own. */
const turning =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Embeddings, overrides and isolates: each goes on until something ends it, also in the words that come after. */
export const turners = /[\u202a-\u202e\u2066-\u2069]/g;
/** No more of them than whole isolates, as this file writes them. */
const settled =
  /^(?:[^\u202a-\u202e\u2066-\u2069]|[\u2066-\u2068][^\u202a-\u202e\u2066-\u2069]*\u2069)*$/;

/**
 * A text for the middle of another one (decision 029): written from right to left it stands between marks that keep its direction to
 * itself; any other is as it was. The translators do this to every parameter, so it is for texts that are put together by hand.
 */
export function isolate(text: string): string {
  return turning.test(text)
    ? `\u2068${settled.test(text) ? text : text.replaceAll(turners, '')}\u2069`
    : text;
}
