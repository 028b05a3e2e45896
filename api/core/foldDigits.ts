/** A text as single characters, and for each the place in the given text where its source begins. */
export type Folded = { chars: string[]; starts: number[] };

/** Characters that a reader does not see, and signs that are drawn over others (a keycap, a line through a digit). */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/u;
/** Digits in circles that Unicode does not map to plain ones: where each row begins, and with which digit. */
const circled = [
  [0x24f5, 1],
  [0x2776, 1],
  [0x2780, 1],
  [0x278a, 1],
] as const;
const circledNoughts = new Set([0x24ff, 0x1f10b, 0x1f10c]);

/** Folds a text for reading numbers: drops what is not seen, and writes the digits of every script as ASCII. */
export function fold(text: string): Folded {
  const folded: Folded = { chars: [], starts: [] };
  let at = 0;
  for (const char of text) {
    for (const part of plain(char)) {
      folded.chars.push(part);
      folded.starts.push(at);
    }
    at += char.length;
  }
  return folded;
}

function plain(char: string): string[] {
  if (char < '\u0080') return [char];
  if (unseen.test(char)) return [];
  const parts = [...char.normalize('NFKC')];
  // Some signs are whole sentences, up to eighteen letters: they hold no digit.
  return parts.length > 4 ? [char] : parts.filter((part) => !unseen.test(part)).map(digitOr);
}

function digitOr(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (circledNoughts.has(code)) return '0';
  for (const [first, digit] of circled)
    if (code >= first && code < first + 9) return String(code - first + digit);
  return digitOf(char) ?? char;
}

/**
 * The value of a decimal digit of any script; undefined for another character. Unicode lays the digits of a script in a row
 * from nought to nine, and no two rows side by side but those that NFKC folds.
 */
export function digitOf(char: string): string | undefined {
  if (!/\p{Nd}/u.test(char)) return undefined;
  const code = char.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
