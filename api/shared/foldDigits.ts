/** Each character has its index in the source text. */
export type Folded = { chars: string[]; starts: number[] };

/** Invisible characters, and marks drawn over others (a keycap). */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/u;
/** First code point and digit of rows that NFKC does not map. */
const circled = [
  [0x24f5, 1],
  [0x2776, 1],
  [0x2780, 1],
  [0x278a, 1],
] as const;
const circledNoughts = new Set([0x24ff, 0x1f10b, 0x1f10c]);

/** Drops invisible characters and writes the digits of every script as ASCII. */
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
  // Some signs expand to eighteen letters and hold no digit.
  return parts.length > 4 ? [char] : parts.filter((part) => !unseen.test(part)).map(digitOr);
}

/** A digit of any script, circled ones too, as ASCII; other characters stay. */
export function digitOr(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (circledNoughts.has(code)) return '0';
  for (const [first, digit] of circled)
    if (code >= first && code < first + 9) return String(code - first + digit);
  return digitOf(char) ?? char;
}

/**
 * A decimal digit of any script as ASCII, else undefined. Unicode orders each script's digits 0 to
 * 9; only rows that NFKC folds are adjacent.
 */
export function digitOf(char: string): string | undefined {
  if (!/\p{Nd}/u.test(char)) return undefined;
  const code = char.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
