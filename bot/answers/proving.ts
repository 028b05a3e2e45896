import { requireSeller } from '../../api/core/access.ts';
import { numberKey } from '../../api/sellers/takings.ts';
import { verifySeller } from '../../api/sellers/verify.ts';
import { paragraphs } from '../delivery/layout.ts';
import type { Asked } from '../understanding/state.ts';
import {
  agreesToTake,
  hidesNumber,
  provenElsewhere,
  shareNumber,
  takingQuestion,
  unlessProven,
} from './joining/joining.ts';
import { button, ownAccount } from './say.ts';
import type { Reply, Turn } from './types.ts';

type Proving = Extract<Asked, { kind: 'prove' }>;

/** Asks for the number and names the account, so the phone's owner sees for whom it is proven. */
export function askToProve(turn: Turn, asked: Proving = { kind: 'prove' }): Reply | Promise<Reply> {
  const { ctx, t, state } = turn;
  if (hidesNumber(turn)) return provenElsewhere(turn);
  const delivered = ctx.via === 'whatsapp' && ctx.client.number !== undefined;
  if (delivered && requireSeller(ctx).whatsapp !== ctx.client.number)
    return { text: t('verify.another') };
  state.awaits = asked;
  const account = ownAccount(turn);
  if (asked.takes !== undefined)
    return takingQuestion(turn, asked, t('take.forAccount', { account }));
  return {
    text: paragraphs(
      t('verify.account', { account }),
      t(delivered ? 'verify.yesNo' : 'verify.how'),
    ),
    buttons: [
      [delivered ? button(turn, 'button.yes', 'yes') : shareNumber(turn)],
      [button(turn, 'button.notNow', 'no')],
    ],
  };
}

/** A contact that was not asked for, such as one sent twice, proves nothing. */
export const unasked = (turn: Turn): Reply => ({
  text: turn.t('verify.unasked', { account: ownAccount(turn) }),
  buttons: [[button(turn, 'button.verify', 'verify')]],
});

/**
 * Verifies the number that the transport delivered in answer to {@link askToProve}. If it is proven
 * for another account, asks before taking it back.
 */
export async function prove(turn: Turn, taking: Proving, number: string): Promise<Reply> {
  const { ctx, t } = turn;
  const seller = requireSeller(ctx);
  if (seller.whatsapp !== number) return { text: t('verify.another') };
  if (seller.verifiedWhatsapp === number) return { text: t('verify.done') };
  const key = numberKey(ctx, number);
  const verified = await verifySeller(ctx, seller.id, {
    number,
    verifiedBy: 'chat',
    takeBack: agreesToTake(taking, key),
  }).catch(unlessProven);
  return verified ? { text: t('verify.done') } : askToProve(turn, { kind: 'prove', takes: key });
}
