import { requireSeller } from '../../api/core/access.ts';
import { markSold } from '../../api/products/markSold.ts';
import { ownProducts } from '../../api/products/reads.ts';
import { relist } from '../../api/products/relist.ts';
import { relistAtEnd } from '../../api/products/relistAtEnd.ts';
import {
  hintOf,
  notesOf,
  payInstruction,
  soldText,
  withdrawText,
} from '../../api/products/rules.ts';
import { withdraw } from '../../api/products/withdraw.ts';
import { teamContact } from '../../api/sellers/reads.ts';
import { phoneText } from '../../api/shared/contact/readPhone.ts';
import { Refusal } from '../../api/shared/errors.ts';
import { dayAndTime, nameIn } from '../../api/shared/format.ts';
import { slotNumber } from '../../api/shared/slots.ts';
import { productCode } from '../../api/shared/slugs/productCode.ts';
import { money } from '../../api/shared/text.ts';
import { translator } from '../../locales/index.ts';
import { linkFirst } from './linking.ts';
import { button, common, hasMailbox, lines, paragraphs, rows, short, timeLeft } from './say.ts';
import type { Answer, Args, Asked, Button, Handler, Reply, Turn } from './types.ts';
import { commandIn, typed } from './words.ts';

type Page = Awaited<ReturnType<typeof ownProducts>>;
type Own = Page['products'][number];
type Act = Extract<Asked, { kind: 'act' }>['act'];

const pageSize = 20;
const mostShown = 10;
const mostPages = 10;

/** Requires a seller; others are asked to link or join, and suspended ones see why. */
export const selling =
  (handler: Handler): Handler =>
  (turn, args) => {
    const { actor, services, language } = turn.ctx;
    if (actor.kind === 'visitor') return linkFirst(turn);
    const seller = 'seller' in actor ? actor.seller : null;
    if (seller?.suspended) return suspended(turn);
    if (!seller)
      return {
        text: turn.t('mine.notSeller'),
        buttons: [
          [
            button(turn, 'button.join', 'join'),
            {
              label: turn.t('button.openSite'),
              url: `${services.env.publicUrl}/${language}/seller/dashboard`,
            },
          ],
        ],
      };
    return handler(turn, args);
  };

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

/** Lists the newest own listings, numbered for later commands. */
export async function mine(turn: Turn): Promise<Answer> {
  const { ctx, t, state } = turn;
  const { products, total, feesDue } = await ownProducts(ctx, { pageSize: mostShown });
  const dashboard = `${ctx.services.env.publicUrl}/${ctx.language}/seller/dashboard`;
  if (products.length === 0)
    return {
      text: t('mine.none'),
      buttons: [
        [button(turn, 'button.sell', 'sell'), { label: t('button.openSite'), url: dashboard }],
      ],
    };
  state.mine = products.map(({ id }) => id);
  const list = products.map((product, n) =>
    t('mine.line', {
      number: String(n + 1),
      name: nameOf(turn, product),
      state: stateOf(turn, product),
    }),
  );
  const numbers = products.map(({ id }, n) => ({
    label: String(n + 1),
    say: typed(ctx.language, 'listing', productCode(id)),
  }));
  return {
    text: paragraphs(
      t('mine.title', { count: total }),
      lines(...list),
      feesDue > 0 && t('mine.due', { amount: money(feesDue, ctx.language) }),
      t('mine.hint'),
      total > products.length && t('mine.rest', { link: dashboard }),
    ),
    buttons: rows(numbers, 5),
  };
}

const nameOf = ({ ctx }: Turn, { name }: Pick<Own, 'name'>): string =>
  short(nameIn(name, ctx.language), 100);
const stateOf = ({ t }: Turn, { label, paused }: Own): string =>
  t(`mine.state.${paused ? 'paused' : label}`);

/** An own listing, by its number in the last list or its button's code. */
async function ownIn(turn: Turn, { words }: Args): Promise<Own | undefined> {
  const given = words[0] ?? '';
  const wanted = /^[0-9a-f]{8}(?:[0-9a-f]{24})?$/.test(given)
    ? given
    : /^\d{1,2}$/.test(given)
      ? turn.state.mine?.[Number(given) - 1]
      : undefined;
  if (!wanted) return undefined;
  for (let page = 1; page <= mostPages; page++) {
    const { products, total } = await ownProducts(turn.ctx, { page, pageSize });
    const found = products.find(({ id }) =>
      [id, id.replaceAll('-', ''), productCode(id)].includes(wanted),
    );
    if (found || page * pageSize >= total) return found;
  }
  return undefined;
}

const which = (turn: Turn, words: string[], example: string): Reply =>
  words.length > 0
    ? { text: turn.t('mine.noSuch'), buttons: [[button(turn, 'button.mine', 'mine')]] }
    : { text: turn.t('mine.which', { example }), buttons: [[button(turn, 'button.mine', 'mine')]] };

/** Code of the listing shown last, else of the only one. */
async function lastOrOnly({ ctx, state }: Turn): Promise<string[]> {
  if (state.own) return [state.own];
  const { products, total } = await ownProducts(ctx, { pageSize: 1 });
  return total === 1 ? products.map(({ id }) => productCode(id)) : [];
}

/** Shows one own listing; without a number the one shown last, the only one, or all to choose. */
export async function listing(turn: Turn, args: Args): Promise<Answer> {
  const words = args.words.length > 0 ? args.words : await lastOrOnly(turn);
  if (words.length === 0) return mine(turn);
  const product = await ownIn(turn, { text: '', words });
  if (!product) return which(turn, args.words, typed(turn.ctx.language, 'listing', 1));
  turn.state.own = productCode(product.id);
  const { views, messageTaps, shares } = product.figures;
  return {
    text: paragraphs(
      titleOf(turn, product),
      lines(...stateLines(turn, product)),
      turn.t('mine.figures', { views, contacts: messageTaps, shares }),
      lines(...feeLines(turn, product)),
    ),
    ...(product.image ? { picture: product.image.src.replace(/^\/media\//, '') } : {}),
    buttons: buttonsFor(turn, product),
  };
}

const titleOf = (turn: Turn, product: Own): string =>
  `${nameOf(turn, product)} – ${stateOf(turn, product)}`;

function stateLines(turn: Turn, product: Own): (string | undefined | false)[] {
  const { ctx, t } = turn;
  const say = translator(ctx.language, 'seller');
  const at = (moment: string | null) => (moment ? dayAndTime(new Date(moment), ctx.language) : '');
  const { slotId, endTime, place, rejectedReason } = product;
  const hint = hintOf(product);
  const explained =
    hint?.key === 'live' && slotId !== null && endTime
      ? t('mine.liveIn', {
          slot: slotNumber(slotId),
          end: at(endTime),
          time: timeLeft(turn, endTime, ctx.now()),
        })
      : hint &&
        say(`listing.hint.${hint.key}`, {
          date: at(hint.at),
          reason: short(rejectedReason ?? '', 300),
        });
  return [
    explained,
    ...(place
      ? [
          place.position === 1
            ? say('listing.queue.next')
            : say('listing.queue.place', { position: place.position }),
          place.estimateAt !== null &&
            say('listing.queue.measured', { date: at(place.estimateAt) }),
          t('mine.usual', { count: Math.round(place.usualHours) }),
          say('listing.queue.note'),
        ]
      : []),
    ...notesOf(product).map((key) => say(key)),
  ];
}

function feeLines(
  turn: Turn,
  { listingFee, feeState, feeReference, paymentMethod, payee, earlierFees }: Own,
): (string | undefined | false)[] {
  const { language } = turn.ctx;
  const say = translator(language, 'seller');
  const reference = feeReference ?? '';
  if (listingFee === null || !feeState) return [];
  const words = {
    amount: money(listingFee, language),
    reference,
    method: paymentMethod ? common(language)(`paymentMethods.${paymentMethod}`) : '',
    ...payee,
  };
  return [
    turn.t('mine.fee', { amount: words.amount, state: say(`fee.${feeState}`) }),
    feeState === 'due' && say(payInstruction(paymentMethod, payee ?? undefined), words),
    ...earlierFees.map(
      (fee) =>
        `${say('fee.earlier', { date: dayAndTime(new Date(fee.openedAt), language) })}: ${money(fee.fee, language)}`,
    ),
  ];
}

/** The chat's `relist` stands for listing again now, at the end, and not at the end. */
export const offered = ({ can }: Own): Act[] => [
  ...(can.relist || can.again || can.notAgain ? ['relist' as const] : []),
  ...(can.sold ? ['sold' as const] : []),
  ...(can.withdraw ? ['withdraw' as const] : []),
];

function buttonsFor(turn: Turn, product: Own): Button[][] {
  const { can, id, label, slotId, slug } = product;
  const { services, language } = turn.ctx;
  const say = translator(language, 'seller');
  const acts = offered(product).map((act) => {
    if (act === 'relist' && can.notAgain) return notAgain(turn, product);
    const says =
      act === 'relist' && can.again ? ('button.relistAtEnd' as const) : (`button.${act}` as const);
    return button(turn, says, act, productCode(id));
  });
  const edit = {
    label: say(label === 'rejected' ? 'listing.actions.correct' : 'listing.actions.edit'),
    url: `${services.env.publicUrl}/${language}/seller/products/${id}/edit`,
  };
  const site = `${services.env.publicUrl}/${language}`;
  const open =
    slotId === null
      ? { label: turn.t('button.dashboard'), url: `${site}/seller/dashboard` }
      : { label: turn.t('button.openListing'), url: `${site}/shop/${slotId}/${slug}` };
  return [acts, [open], can.edit ? [edit] : [], [button(turn, 'button.mine', 'mine')]].filter(
    (row) => row.length > 0,
  );
}
const notAgain = (turn: Turn, { id }: Own): Button =>
  button(turn, 'button.notAgain', 'relist', productCode(id), typed(turn.ctx.language, 'no'));

/**
 * Asks for confirmation, with the cost. A notification's button includes the yes, because its text
 * stated both.
 */
export const askTo =
  (act: Act): Handler =>
  async (turn, args) => {
    const product = await ownIn(turn, args);
    if (!product) return which(turn, args.words, typed(turn.ctx.language, act, 1));
    const name = nameOf(turn, product);
    if (!offered(product).includes(act)) {
      if (requireSeller(turn.ctx).leavingAt) throw new Refusal('account.leaving');
      return {
        text: turn.t('mine.cannot', { name, state: stateOf(turn, product) }),
        buttons: buttonsFor(turn, product),
      };
    }
    const answer = commandIn(args.words.slice(1).join(' '))?.command;
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
