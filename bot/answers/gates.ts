import { teamContact } from '../../api/sellers/reads.ts';
import { phoneText } from '../../api/shared/contact/readPhone.ts';
import { dayAndTime } from '../../api/shared/format.ts';
import { type dictionaries, translator } from '../../locales/index.ts';
import { lines, paragraphs } from '../delivery/layout.ts';
import type { Intent } from '../understanding/request.ts';
import { closedReply } from './linking/closed.ts';
import { button, hasMailbox, isClosed } from './say.ts';
import type { Answer, Reply, Turn } from './types.ts';

/** The people an answer is for; the verbs check the same again. */
export type Who = 'anyone' | 'account' | 'seller';

/** Intents that need an account, and how `link.why` names each. */
const reasons: Partial<Record<Intent, Reason>> = {
  mine: 'mine',
  listing: 'mine',
  picture: 'mine',
  payFee: 'mine',
  relist: 'relist',
  sold: 'sold',
  withdraw: 'withdraw',
  sell: 'sell',
  balance: 'credits',
  statement: 'credits',
  responses: 'responses',
  notices: 'notices',
  morning: 'notices',
  alert: 'notices',
  verify: 'verify',
};
type Reason = keyof (typeof dictionaries)['en']['bot']['link']['why'];

/** Reply to somebody whom an answer is not for; undefined lets them in. */
export function turnedAway(
  turn: Turn,
  who: Who,
  intent?: Intent,
): Answer | Promise<Answer> | undefined {
  const { actor } = turn.ctx;
  if (who === 'anyone') return undefined;
  if (actor.kind === 'visitor') return linkFirst(turn, intent);
  if (who === 'account') return undefined;
  const seller = 'seller' in actor ? actor.seller : null;
  if (seller?.suspended) return suspended(turn);
  return seller ? undefined : sellersOnly(turn);
}

/** Says what was understood, and offers to join or link. */
function linkFirst(turn: Turn, intent?: Intent): Reply {
  const why = turn.t(`link.why.${(intent && reasons[intent]) ?? 'other'}`);
  if (isClosed(turn)) return closedReply(turn, why);
  return {
    text: turn.t('link.first', { why }),
    buttons: [
      [button(turn, 'button.join', 'join'), button(turn, 'button.link', 'link')],
      [button(turn, 'button.market', 'market')],
    ],
  };
}

const sellersOnly = (turn: Turn): Reply => ({
  text: turn.t('mine.notSeller'),
  buttons: [
    [
      button(turn, 'button.join', 'join'),
      {
        label: turn.t('button.openSite'),
        url: `${turn.ctx.services.env.publicUrl}/${turn.ctx.language}/seller/dashboard`,
      },
    ],
  ],
});

async function suspended(turn: Turn): Promise<Reply> {
  const { ctx } = turn;
  const say = translator(ctx.language, 'seller');
  const seller = 'seller' in ctx.actor ? ctx.actor.seller : null;
  const { email, whatsapp } = await teamContact(ctx);
  return {
    text: paragraphs(
      say('suspended.title'),
      seller?.suspendedReason && say('suspended.reason', { reason: seller.suspendedReason }),
      seller?.suspendedAt &&
        say('suspended.since', { date: dayAndTime(seller.suspendedAt, ctx.language) }),
      say('suspended.text'),
      email || whatsapp
        ? lines(
            say('suspended.contact'),
            email,
            whatsapp && say('suspended.whatsapp', { number: phoneText(whatsapp) }),
          )
        : say('suspended.noAddress'),
      hasMailbox(turn) && say('suspended.reply'),
    ),
  };
}
