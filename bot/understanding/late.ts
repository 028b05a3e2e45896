import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../api/core/chatMessages.ts';
import type { Asked, State } from './state.ts';
import { type Command, commandIn, hasTrait } from './words.ts';

/** The networks' clocks and ours may differ by so much. */
const clocksDifferMs = 10_000;

/** True if the message was written before the moment: networks may deliver days later. */
export const writtenBefore = ({ at }: Pick<Message, 'at'>, moment: string | undefined): boolean =>
  at !== undefined && moment !== undefined && Date.parse(at) + clocksDifferMs < Date.parse(moment);

const decisions = new Set<Command>(['approve', 'reject', 'dismiss', 'remove']);
/** Questions that take any words as their answer. */
const takesWords = new Set<Asked['kind']>([
  'newcomer',
  'reason',
  'note',
  'draft',
  'join',
  'code',
  'why',
]);

/**
 * True if a message that was written before the open question, or before the shown item, must not
 * be understood as an answer to it.
 */
export function isLateAnswer({ awaits, decides, askedAt }: State, message: Message): boolean {
  if (awaits?.kind === 'language' || !writtenBefore(message, askedAt)) return false;
  const { text, number, photos } = message;
  if (photos || message.wordless || message.anothersContact) return false;
  if (text === '') return awaits !== undefined && number !== undefined;
  const said = commandIn(text);
  const exact = said?.exact ? said : undefined;
  if (exact && hasTrait(exact.command, 'own')) return false;
  if (exact && decisions.has(exact.command))
    return exact.rest.length === 0 ? awaits !== undefined || decides !== undefined : false;
  if (!awaits) return false;
  return exact !== undefined || /^#?\d{1,3}$/.test(text.trim()) || takesWords.has(awaits.kind);
}

const stored = (part: unknown): unknown =>
  part === undefined ? undefined : JSON.parse(JSON.stringify(part));

/** When what is open was first asked or shown: asking the same again keeps the moment. */
export function askedAt(before: State, after: State, now: Date): string | undefined {
  if (!after.awaits && !after.decides) return undefined;
  const same = (part: 'awaits' | 'decides') =>
    after[part] === undefined || isDeepStrictEqual(stored(after[part]), before[part]);
  return before.askedAt && same('awaits') && same('decides') ? before.askedAt : now.toISOString();
}
