import type { Command } from '../../api/shared/commands.ts';
import { commandIn } from './words.ts';

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
