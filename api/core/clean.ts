import { turners } from '../../locales/isolate.ts';

/** The longest text that is read at all. Every schema refuses a longer one before it is cleaned. */
export const longest = 5000;
/** Deeper nesting of a pattern than this is no accident. */
const mostPasses = 8;

/**
 * The sanitizing of product §5: trimmed, angle brackets, `javascript:` and `on…=` removed, repeated until nothing changes, so that no pass
 * uncovers what the one before took away. What nobody sees goes as well: control characters, what turns a text around (decision 029), and
 * a text of nothing else. The real defence is escaping where text is written. A text that still changes after eight passes loses every
 * colon and equals sign, so that the time stays linear (decision 060).
 */
export const clean = (text: string): string => settled(text, scrubbed);

/** The same for one line: line breaks and several spaces are one space, as a page shows them. */
export const cleanLine = (text: string): string =>
  settled(text, (given) => scrubbed(given).replaceAll(/[ \t\n\r\u2028\u2029]+/g, ' '));

function settled(text: string, pass: (text: string) => string): string {
  // The cap may have cut a character in two.
  let current = text.slice(0, longest).replace(/\p{Cs}$/u, '');
  for (let passes = 0; ; passes += 1) {
    const next = pass(passes === mostPasses ? current.replaceAll(/[:=]/g, '') : current);
    if (next === current) return next;
    current = next;
  }
}

function scrubbed(text: string): string {
  const next = text
    .replaceAll(/[<>]|(?![\t\n\r])\p{Cc}/gu, '')
    .replaceAll(turners, '')
    .replaceAll(/javascript:/gi, '')
    .replaceAll(/\bon\w{1,30}\s{0,10}=/gi, '');
  return /[^\p{Cc}\p{Cf}\p{Z}]/u.test(next) ? next.trim() : '';
}

/** How long a text is to the schemas: in whole characters, so that an emoji is one and not two. */
export const lengthOf = (text: string): number => [...text].length;
