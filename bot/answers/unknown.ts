import { lines, paragraphs } from '../delivery/layout.ts';
import { typed } from '../understanding/words.ts';
import type { Reply, Turn } from './types.ts';

/** Numbered choices for a message that is not understood, and a way to a person. */
export function unknown(turn: Turn): Reply {
  const { t, ctx, state } = turn;
  const choices = (['market', 'categories', 'sell', 'help', 'human'] as const).map((choice, n) => ({
    number: String(n + 1),
    words: t(`choices.${choice}`),
    say: choice === 'human' ? t('choices.human') : typed(ctx.language, choice),
  }));
  state.choices = Object.fromEntries(choices.map(({ number, say }) => [number, say]));
  return {
    text: paragraphs(
      t('unknown'),
      lines(...choices.map(({ number, words }) => t('choices.line', { number, words }))),
    ),
    buttons: [choices.map(({ number, say }) => ({ label: number, say }))],
  };
}
