import { turners } from '../../locales/isolate.ts';

/** Longer input is refused by every schema anyway; the cap keeps the cleaning itself cheap (the rule read literally is quadratic). */
const longest = 5000;

/**
 * The sanitizing of product §5: trimmed, angle brackets, `javascript:` and `on…=` removed, repeated until nothing changes, so that no pass
 * uncovers what the one before took away. What nobody sees goes as well: control characters, what turns a text around (decision 029), and
 * a text of nothing else. The real defence is escaping where text is written.
 */
export function clean(text: string): string {
  // The cap may have cut a character in two.
  let current = text.slice(0, longest).replace(/\p{Cs}$/u, '');
  for (;;) {
    const next = current
      .replaceAll(/[<>]|(?![\t\n\r])\p{Cc}/gu, '')
      .replaceAll(turners, '')
      .replaceAll(/javascript:/gi, '')
      .replaceAll(/\bon\w{1,30}\s{0,10}=/gi, '');
    if (next === current) return /[^\p{Cc}\p{Cf}\p{Z}]/u.test(next) ? next.trim() : '';
    current = next;
  }
}

/** The same for one line: line breaks and several spaces are one space, as a page shows them. */
export function cleanLine(text: string): string {
  const next = clean(text).replaceAll(/[ \t\n\r\u2028\u2029]+/g, ' ');
  // Where spaces went, there may be more to clean.
  return next === text ? text : cleanLine(next);
}

/** How long a text is to the schemas: in whole characters, so that an emoji is one and not two. */
export const lengthOf = (text: string): number => [...text].length;
