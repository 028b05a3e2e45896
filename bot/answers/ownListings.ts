import { listingCodePath } from '../../api/chats/deepLinks.ts';
import { makeStatusPicture } from '../../api/chats/statusPicture.ts';
import { requireSeller } from '../../api/core/access.ts';
import { inTransaction } from '../../api/core/transaction.ts';
import { adapterFor } from '../../api/payments/begin.ts';
import { orderFee } from '../../api/payments/payFee.ts';
import { ownProducts } from '../../api/products/reads.ts';
import { hintOf, notesOf, payInstruction } from '../../api/products/rules.ts';
import { phoneText, readPhone } from '../../api/shared/contact/readPhone.ts';
import { isPhone } from '../../api/shared/fields.ts';
import { dayAndTime, nameIn } from '../../api/shared/format.ts';
import { slotNumber } from '../../api/shared/slots.ts';
import { productCode } from '../../api/shared/slugs/productCode.ts';
import { money } from '../../api/shared/text.ts';
import { translator } from '../../locales/index.ts';
import { lines, paragraphs, rows, short } from '../delivery/layout.ts';
import type { Asked } from '../understanding/state.ts';
import { typed } from '../understanding/words.ts';
import { button, common, timeLeft } from './say.ts';
import type { Answer, Args, Button, Reply, Turn } from './types.ts';

type Page = Awaited<ReturnType<typeof ownProducts>>;
export type Own = Page['products'][number];
export type Act = Extract<Asked, { kind: 'act' }>['act'];

const pageSize = 20;
const mostShown = 10;
const mostPages = 10;

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

export const nameOf = ({ ctx }: Turn, { name }: Pick<Own, 'name'>): string =>
  short(nameIn(name, ctx.language), 100);
export const stateOf = ({ t }: Turn, { label, paused }: Own): string =>
  t(`mine.state.${paused ? 'paused' : label}`);

/** An own listing, by its number in the last list or its button's code. */
export async function ownIn(turn: Turn, { words }: Args): Promise<Own | undefined> {
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

export const which = (turn: Turn, words: string[], example: string): Reply =>
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

type Due = { reference: string; amount: number };

/** Due fees of a listing that can be paid online, the present one first. */
function dueOnline({ ctx }: Turn, product: Own): Due[] {
  if (!ctx.services.payments.some(({ methods }) => methods.includes('mobile_money'))) return [];
  const { listingFee, feeState, feeReference, earlierFees } = product;
  return [
    ...(feeState === 'due' && feeReference && listingFee
      ? [{ reference: feeReference, amount: listingFee }]
      : []),
    ...earlierFees.flatMap(({ reference, fee }) => (reference ? [{ reference, amount: fee }] : [])),
  ];
}

/** Orders the payment of a listing's due fee, which is begun once this turn is stored. */
export async function payListingFee(turn: Turn, args: Args): Promise<Answer> {
  const { ctx, t } = turn;
  const words = args.words.length > 0 ? args.words : await lastOrOnly(turn);
  if (words.length === 0) return mine(turn);
  const product = await ownIn(turn, { text: '', words });
  if (!product) return which(turn, args.words, typed(ctx.language, 'payFee', 1));
  const name = nameOf(turn, product);
  const [due] = dueOnline(turn, product);
  const back = [button(turn, 'button.listing', 'listing', productCode(product.id))];
  if (!due) return { text: t('mine.nothingDue', { name }), buttons: [back] };
  const { needsNumber, testMode } = adapterFor(ctx, 'mobile_money');
  const given = args.words.slice(1).join(' ');
  const number = given ? readPhone(given) : requireSeller(ctx).whatsapp;
  if (needsNumber && !(number && isPhone(number)))
    return { text: t('mine.payNumber', { example: typed(ctx.language, 'payFee', 1) }) };
  // The provider names the network when it is asked.
  const payer = needsNumber && number ? { number, network: null } : undefined;
  const { id, fee, isOpen } = await inTransaction(ctx, (tx) =>
    orderFee(tx, due.reference, payer, ctx.now()),
  );
  return {
    text: paragraphs(
      t(isOpen ? 'mine.payingAlready' : 'mine.paying', { name, amount: money(fee, ctx.language) }),
      payer &&
        !isOpen &&
        t('mine.payFrom', {
          number: phoneText(payer.number),
          example: typed(ctx.language, 'payFee', 1),
        }),
      testMode && translator(ctx.language, 'seller')('pay.testMode'),
    ),
    buttons: [
      [
        {
          label: t('button.payment'),
          url: `${ctx.services.env.publicUrl}/${ctx.language}/pay/${id}`,
        },
      ],
      back,
    ],
  };
}

/** The chat's `relist` stands for listing again now, at the end, and not at the end. */
export const offered = ({ can }: Own): Act[] => [
  ...(can.relist || can.again || can.notAgain ? ['relist' as const] : []),
  ...(can.sold ? ['sold' as const] : []),
  ...(can.withdraw ? ['withdraw' as const] : []),
];

export function buttonsFor(turn: Turn, product: Own): Button[][] {
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
  const code = {
    label: say('listing.actions.code'),
    url: services.env.publicUrl + listingCodePath(id, language),
  };
  const [due] = dueOnline(turn, product);
  const pay = due && {
    label: turn.t('button.payFee', { amount: money(due.amount, language) }),
    say: typed(language, 'payFee', productCode(id)),
  };
  return [
    acts,
    pay ? [pay] : [],
    [open],
    label === 'live' ? [code] : [],
    label === 'live' ? [button(turn, 'button.picture', 'picture', productCode(id))] : [],
    can.edit ? [edit] : [],
    [button(turn, 'button.mine', 'mine')],
  ].filter((row) => row.length > 0);
}

/** The picture of a live listing for a status, as a link: it is drawn when it is opened. */
export async function statusPicture(turn: Turn, args: Args): Promise<Answer> {
  const words = args.words.length > 0 ? args.words : turn.state.own ? [turn.state.own] : [];
  if (words.length === 0) return mine(turn);
  const product = await ownIn(turn, { text: '', words });
  if (!product) return which(turn, args.words, typed(turn.ctx.language, 'picture', 1));
  const { path, event } = await makeStatusPicture(turn.ctx, product.id);
  turn.seen.push(event);
  const url = turn.ctx.services.env.publicUrl + path;
  return {
    text: turn.t('mine.picture', { name: nameOf(turn, product) }),
    buttons: [
      [{ label: turn.t('button.openPicture'), url }],
      [button(turn, 'button.mine', 'mine')],
    ],
  };
}
export const notAgain = (turn: Turn, { id }: Own): Button =>
  button(turn, 'button.notAgain', 'relist', productCode(id), typed(turn.ctx.language, 'no'));
