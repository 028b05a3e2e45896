import type { Button } from '../../api/core/chatMessages.ts';

export const lines = (...parts: (string | undefined | false | null)[]): string =>
  parts.filter(Boolean).join('\n');
export const paragraphs = (...parts: (string | undefined | false | null)[]): string =>
  parts.filter(Boolean).join('\n\n');

export function rows(buttons: Button[], wide: number): Button[][] {
  return Array.from({ length: Math.ceil(buttons.length / wide) }, (_, n) =>
    buttons.slice(n * wide, (n + 1) * wide),
  );
}

/** Truncates by code points, never within a letter. */
export const short = (text: string, most: number): string => {
  const letters = Array.from(text);
  return letters.length > most
    ? `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : text;
};

/** Packs parts into few messages; transports take 4,000 letters each. */
export function messages(parts: readonly string[], most = 4000): string[] {
  const packed: string[] = [];
  for (const part of parts.map((text) => short(text, most))) {
    const last = packed.at(-1);
    if (last !== undefined && last.length + part.length + 2 <= most)
      packed[packed.length - 1] = `${last}\n\n${part}`;
    else packed.push(part);
  }
  return packed;
}
