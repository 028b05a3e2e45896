import { requireSeller } from '../../api/core/access.ts';
import { markSold } from '../../api/products/markSold.ts';
import { ownProducts } from '../../api/products/reads.ts';
import { relist } from '../../api/products/relist.ts';
import { relistAtEnd } from '../../api/products/relistAtEnd.ts';
import { soldText, withdrawText } from '../../api/products/rules.ts';
import { withdraw } from '../../api/products/withdraw.ts';
import { Refusal } from '../../api/shared/errors.ts';
import { productCode } from '../../api/shared/slugs/productCode.ts';
import { money } from '../../api/shared/text.ts';
import { translator } from '../../locales/index.ts';
import { lines, paragraphs } from '../delivery/layout.ts';
import type { Asked } from '../understanding/state.ts';
import { commandIn, typed } from '../understanding/words.ts';
import {
  type Act,
  buttonsFor,
  mine,
  nameOf,
  notAgain,
  type Own,
  offered,
  ownIn,
  stateOf,
  which,
} from './ownListings.ts';
import { button } from './say.ts';
import type { Answer, Handler, Reply, Turn } from './types.ts';

/**
 * Asks for confirmation, with the cost. A notification's button includes the yes, because its text
 * stated both.
 */
export const askTo =
  (act: Act): Handler =>
  async (turn, args) => {
    const words = args.words.length > 0 ? args.words : await onlyOne(turn, act);
    if (words.length === 0) return mine(turn);
    const product = await ownIn(turn, { text: '', words });
    if (!product) return which(turn, args.words, typed(turn.ctx.language, act, 1));
    const name = nameOf(turn, product);
    if (!offered(product).includes(act)) {
      if (requireSeller(turn.ctx).leavingAt) throw new Refusal('account.leaving');
      return {
        text: turn.t('mine.cannot', { name, state: stateOf(turn, product) }),
        buttons: buttonsFor(turn, product),
      };
    }
    const answer = commandIn(words.slice(1).join(' '))?.command;
    if (act === 'relist' && product.can.notAgain)
      return answer === 'no' ? endsForGood(turn, product) : listsAgain(turn, product);
    if (answer === 'yes') return done(turn, { kind: 'act', act, product: product.id });
    if (answer === 'no') return { text: turn.t('cancelled') };
    turn.state.awaits = { kind: 'act', act, product: product.id };
    return {
      text: paragraphs(...questionTo(turn, act, product), turn.t('mine.ask.yesNo')),
      buttons: [[button(turn, 'button.yes', 'yes'), button(turn, 'button.no', 'no')]],
    };
  };

/** The listing shown last, or the only one for which the act is possible. */
async function onlyOne({ ctx, state }: Turn, act: Act): Promise<string[]> {
  if (state.own) return [state.own];
  const { products } = await ownProducts(ctx, { pageSize: 20 });
  const able = products.filter((product) => offered(product).includes(act));
  return able.length === 1 ? able.map(({ id }) => productCode(id)) : [];
}

/** The question and its consequence; selling and withdrawing are worded as on the dashboard. */
function questionTo(turn: Turn, act: Act, product: Own): string[] {
  const { can, label, relistFee, relistReviewed, status } = product;
  const { language } = turn.ctx;
  const say = translator(language, 'seller');
  const name = nameOf(turn, product);
  if (act === 'sold')
    return [say('listing.confirm.soldTitle', { name }), say(`listing.confirm.${soldText(label)}`)];
  if (act === 'withdraw')
    return [
      say('listing.confirm.withdrawTitle', { name }),
      say(`listing.confirm.${withdrawText(label)}`),
    ];
  return [
    turn.t(can.again ? 'mine.ask.relistAtEnd' : 'mine.ask.relist', { name }),
    lines(
      relistFee !== null && turn.t('mine.ask.fee', { amount: money(relistFee, language) }),
      (relistReviewed || status === 'pending') && turn.t('mine.ask.reviewed'),
    ),
  ];
}

/** Carries out a confirmed action; the verb checks again that it is allowed. */
export async function done(
  turn: Turn,
  { act, product: id }: Extract<Asked, { kind: 'act' }>,
): Promise<Answer> {
  const product = await ownIn(turn, { text: '', words: [productCode(id)] });
  const name = product ? nameOf(turn, product) : '';
  const buttons = [[button(turn, 'button.mine', 'mine')]];
  if (act === 'relist' && product && (product.can.again || product.can.notAgain)) {
    await relistAtEnd(turn.ctx, id, true);
    return listsAgain(turn, product);
  }
  if (act === 'relist') {
    const { status } = await relist(turn.ctx, id);
    return {
      text: turn.t(status === 'pending' ? 'mine.done.review' : 'mine.done.relist', { name }),
      buttons,
    };
  }
  await (act === 'sold' ? markSold : withdraw)(turn.ctx, id);
  return { text: turn.t(`mine.done.${act}`, { name }), buttons };
}

function listsAgain(turn: Turn, product: Own): Reply {
  const fee =
    product.relistFee !== null &&
    turn.t('mine.done.feeThen', { amount: money(product.relistFee, turn.ctx.language) });
  return {
    text: lines(turn.t('mine.done.relistAtEnd', { name: nameOf(turn, product) }), fee),
    buttons: [[notAgain(turn, product)], [button(turn, 'button.mine', 'mine')]],
  };
}

async function endsForGood(turn: Turn, product: Own): Promise<Answer> {
  await relistAtEnd(turn.ctx, product.id, false);
  return {
    text: turn.t('mine.done.notAgain', { name: nameOf(turn, product) }),
    buttons: [[button(turn, 'button.mine', 'mine')]],
  };
}
