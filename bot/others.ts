import type { Command } from '../api/shared/commands.ts';
import { commandIn } from './conversation/words.ts';

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

/** Commands that only show or ask, so that a tap on them harms nobody. */
const harmless = new Set<Command>([
  'start',
  'help',
  'language',
  'market',
  'premium',
  'standard',
  'categories',
  'places',
  'price',
  'find',
  'more',
  'show',
  'contact',
  'report',
  'post',
  'mine',
  'listing',
  'balance',
  'statement',
  'responses',
  'pending',
  'reports',
  'health',
  'sell',
  'join',
  'link',
  'verify',
]);

/** The words behind a tapped command that acts; undefined for all other texts. */
export function tappedIn(text: string): string | undefined {
  if (!/^\/[a-z0-9_]/i.test(text)) return undefined;
  const said = commandIn(text);
  if (!said?.exact || harmless.has(said.command)) return undefined;
  return text.slice(1, 120).replaceAll('_', ' ').trim();
}
