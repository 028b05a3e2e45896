/** Right-to-left letters and marks, and direction controls. */
const turning =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Controls that also affect the text that follows. */
export const turners = /[\u202a-\u202e\u2066-\u2069]/g;
/** Complete isolates only. */
const settled =
  /^(?:[^\u202a-\u202e\u2066-\u2069]|[\u2066-\u2068][^\u202a-\u202e\u2066-\u2069]*\u2069)*$/;

/**
 * Isolates a right-to-left text inside another (decision 029). Translators do this to every
 * parameter.
 */
export function isolate(text: string): string {
  return turning.test(text)
    ? `\u2068${settled.test(text) ? text : text.replaceAll(turners, '')}\u2069`
    : text;
}
