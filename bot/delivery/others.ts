/** Invisible, and no part of a word: Telegram then sees no command. */
const wordJoiner = '\u2060';

/**
 * Breaks slashes that Telegram would make into commands: anybody's text may hold `/approve`, and a
 * tap sends it.
 */
export const unlinked = (text: string): string =>
  text.replaceAll(/(?<![\p{L}\p{N}_/.:>])\/(?=[A-Za-z0-9_])/gu, `/${wordJoiner}`);

const lookAlikes: Record<string, string> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ' };
const formats = /(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/gu;

/** Replaces the signs by which WhatsApp formats, so that no text looks like the market's own. */
export const unmarked = (text: string): string =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, n) =>
      n % 2 === 1 ? part : part.replaceAll(formats, (sign) => lookAlikes[sign] ?? ''),
    )
    .join('');
