import { teamContact } from '../../api/sellers/reads.ts';
import { phoneText } from '../../api/shared/contact/readPhone.ts';
import { lines, paragraphs } from '../delivery/layout.ts';
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
