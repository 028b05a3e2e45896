import type { Reading } from '../understanding/reading.ts';
import { button } from './say.ts';
import { resumed, stopped } from './stopping.ts';
import type { Reply, Turn } from './types.ts';

/** Answers what leaves the open question as it is. */
export function asideTo(
  turn: Turn,
  aside: Extract<Reading, { as: 'aside' }>,
  text: string,
): Reply | Promise<Reply> {
  const { t } = turn;
  switch (aside.what) {
    case 'stop':
      return stopped(turn, text);
    case 'resume':
      return resumed(turn, text);
    case 'oldButton':
      return { text: t('oldButton') };
    case 'edited':
      return unread(turn);
    default:
      // A tap may come from anybody's text, so it asks: the button below, or typing it, does it.
      return {
        text: t('tapped', { words: aside.words }),
        buttons: [[{ label: aside.words, say: aside.words }]],
      };
  }
}

/** Says that an edit was not read. */
function unread(turn: Turn): Reply {
  const { awaits } = turn.state;
  const isForm = awaits?.kind === 'draft' || awaits?.kind === 'join';
  return {
    text: turn.t('edited'),
    ...(isForm ? { buttons: [[button(turn, 'button.draftBack', 'back')]] } : {}),
  };
}
