import type { Message } from '../../api/core/chatMessages.ts';
import type { Asked, State } from './state.ts';

/** Answers that nobody pays or agrees by. */
const steps = new Set<string>([
  'name',
  'place',
  'town',
  'region',
  'name.en',
  'name.fr',
  'description.en',
  'description.fr',
  'category',
  'condition',
  'price',
  'sellerLocation',
  'businessName',
]);

/** True for a question whose answer may be corrected by editing the message. */
export const mayCorrect = (asked: Asked): boolean =>
  asked.kind === 'note' ||
  (asked.kind === 'draft' && steps.has(asked.field)) ||
  (asked.kind === 'join' && steps.has(asked.step));

/**
 * The question that an edited message answers again: the last one answered, while its form is still
 * open. Undefined if the edit does not count.
 */
export const correctedBy = (
  { edits }: Pick<Message, 'edits'>,
  { answered, awaits }: Pick<State, 'answered' | 'awaits'>,
): Asked | undefined =>
  answered && answered.id === edits && answered.asked.kind === awaits?.kind
    ? answered.asked
    : undefined;
