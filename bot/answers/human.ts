import { teamContact } from '../../api/sellers/reads.ts';
import { phoneText } from '../../api/shared/contact/readPhone.ts';
import { lines, paragraphs } from '../delivery/layout.ts';
import { typed } from '../understanding/words.ts';
import { button, safety } from './say.ts';
import type { Reply, Turn } from './types.ts';

export async function human(turn: Turn): Promise<Reply> {
  const { t, ctx } = turn;
  const { email, whatsapp } = await teamContact(ctx);
  const digits = (whatsapp ?? '').replaceAll(/\D/g, '');
  return {
    text:
      email || whatsapp
        ? lines(t('human.how'), email, whatsapp && phoneText(whatsapp))
        : t('human.none'),
    buttons: [
      ...(digits ? [[{ label: t('button.openWhatsapp'), url: `https://wa.me/${digits}` }]] : []),
      [button(turn, 'button.market', 'market')],
    ],
  };
}

/** Advice on a fraud, before a stall is named. */
export async function scam(turn: Turn): Promise<Reply> {
  const { buttons = [], text } = await human(turn);
  return {
    text: paragraphs(turn.t('scam.which'), safety(turn.ctx.language), text),
    buttons,
  };
}

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
