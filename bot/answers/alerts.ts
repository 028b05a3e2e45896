import { addAlert } from '../../api/alerts/add.ts';
import { changeAlert } from '../../api/alerts/change.ts';
import { ownAlerts, ownChannels } from '../../api/alerts/reads.ts';
import type { AlertAct } from '../../api/alerts/schema.ts';
import { searchMarket } from '../../api/search/market.ts';
import { keptDays } from '../../api/shared/retention/periods.ts';
import { productCode } from '../../api/shared/slugs/productCode.ts';
import { aroundProduct } from '../../api/shops/reads.ts';
import { alertPaces } from '../../db/vocabularies.ts';
import { translator } from '../../locales/index.ts';
import { lines, paragraphs, rows } from '../delivery/layout.ts';
import type { Query } from '../understanding/query.ts';
import { means } from '../understanding/stop.ts';
import { tokensOf, typed } from '../understanding/words.ts';
import { turnedAway } from './gates.ts';
import { asCorrected, fieldsOf, sayable } from './market.ts';
import { notices } from './notices.ts';
import { button, isClosed } from './say.ts';
import { stallIn } from './stall.ts';
import { stopQuestion } from './stopping.ts';
import type { Answer, Args, Button, Reply, Turn } from './types.ts';

type Own = Awaited<ReturnType<typeof ownAlerts>>[number];
/** Lines of a list, for a small screen. */
const most = 8;

/** Tells of what a text names, shows one alert, or lists them. */
export async function alert(turn: Turn, args: Args): Promise<Answer> {
  const [first = ''] = args.words;
  const on = means(first);
  // Without an account there is nothing else to switch on.
  if (on === false || (on && turn.ctx.actor.kind !== 'visitor')) return notices(turn, args);
  const away = notForThisChat(turn);
  if (away) return away;
  if (args.query && Object.keys(args.query).length > 0) return added(turn, args.query);
  const own = await ownAlerts(turn.ctx);
  const one = on ? undefined : named(turn, own, args.words);
  if (one) return cardOf(turn, one);
  return isId(args.words) ? gone(turn) : list(turn, own);
}

/** Tells of what the shop of a stall brings, by its number or the card shown last. */
export async function follow(turn: Turn, { text, words }: Args): Promise<Answer> {
  const { ctx, state, t } = turn;
  const away = notForThisChat(turn);
  if (away) return away;
  const { card } = state;
  const which = words.length > 0 || !card ? words : [String(card.slot), card.code];
  if (which.length === 0) return { text: t('alert.followWhich') };
  const found = await stallIn(turn, { text, words: which });
  if ('reply' in found) return found.reply;
  const { slot_id, product_id } = found.slot;
  state.card = { slot: slot_id, code: productCode(product_id ?? '') };
  const shop = (await aroundProduct(ctx, product_id ?? ''))?.shop;
  if (!shop) return { text: t('alert.noShop') };
  return confirmed(turn, await addAlert(ctx, { search: '', shop: shop.slug, pace: 'now' }));
}

/** Changes an alert by its number, its id or its words, or as the only one. */
export const act =
  (what: AlertAct['act']) =>
  async (turn: Turn, { words }: Args): Promise<Answer> => {
    const { ctx, t } = turn;
    const own = await ownAlerts(ctx);
    const pace = alertPaces.find((one) => one === words[0]);
    const given = what === 'pace' ? words.slice(1) : words;
    const one = given.length === 0 && own.length === 1 ? own[0] : named(turn, own, given);
    if (!one) return isId(given) ? gone(turn) : list(turn, own, what);
    await changeAlert(ctx, one.id, { act: what, pace: pace ?? one.pace });
    const { name } = one;
    if (what === 'end')
      return {
        text: t('alert.ended', { name }),
        buttons: [[button(turn, 'button.alerts', 'alert')]],
      };
    const changed = { ...one, pace: pace ?? one.pace, paused: what === 'pause' };
    return what === 'pause'
      ? { ...cardOf(turn, changed), text: t('alert.pausedNow', { name }) }
      : cardOf(turn, changed);
  };

/** Reply of a chat that gets no messages now. */
function notForThisChat(turn: Turn): Answer | Promise<Answer> | undefined {
  if (isClosed(turn)) return turnedAway(turn, 'account', 'alert');
  return turn.chat.stoppedAt
    ? {
        text: turn.t('alert.stopped'),
        buttons: [[button(turn, 'button.noticesOn', 'notices', 'on')]],
      }
    : undefined;
}

async function added(turn: Turn, query: Query): Promise<Reply> {
  const { ctx, t } = turn;
  const { items, near, corrected } = await searchMarket(ctx, fieldsOf(query));
  const meant = corrected ? asCorrected(query, corrected) : query;
  const search = new URLSearchParams(fieldsOf(meant)).toString();
  const { text, buttons = [] } = await confirmed(
    turn,
    await addAlert(ctx, { search, shop: '', pace: 'now' }),
  );
  const live = near ? 0 : items.filter(({ state }) => state === 'live').length;
  const see = button(turn, 'button.seeNow', 'find', ...sayable(turn, meant));
  return {
    text: paragraphs(text, live > 0 && t('alert.now', { count: live })),
    buttons: [...(live > 0 ? [[see]] : []), ...buttons],
  };
}

/** Says where messages go, if any do, and offers to change the alert. */
async function confirmed(turn: Turn, id: string): Promise<Reply> {
  const { ctx, chat, t } = turn;
  const { WHATSAPP_CLOUD_TOKEN, WHATSAPP_CLOUD_TEMPLATE } = ctx.services.env;
  const one = (await ownAlerts(ctx)).find((own) => own.id === id) as Own;
  const { name } = one;
  const buttons = buttonsOf(turn, one);
  const isVisitor = ctx.actor.kind === 'visitor';
  const where = isVisitor ? undefined : await ownChannels(ctx);
  if (where?.silent)
    return {
      text: paragraphs(cardOf(turn, one).text, translator(ctx.language, 'alerts')('silent')),
      buttons: [...buttons, [button(turn, 'button.noticesOn', 'notices', 'on')]],
    };
  const chosen = where?.chosen;
  if (chosen && chosen !== chat.transport)
    return {
      text: t('alert.elsewhere', { name, where: t(`alert.where.${chosen}`), link: pageOf(turn) }),
      buttons,
    };
  const isCloud = chat.transport === 'whatsapp' && WHATSAPP_CLOUD_TOKEN;
  return {
    text: paragraphs(
      t('alert.added', { name }),
      isCloud && !WHATSAPP_CLOUD_TEMPLATE && t('morning.window'),
      isVisitor && t('alert.kept', { days: keptDays.strangersChats }),
    ),
    buttons,
  };
}

const pageOf = ({ ctx }: Turn, path = '/alerts'): string =>
  `${ctx.services.env.publicUrl}/${ctx.language}${path}`;

/** An alert by its number in the last list, its id, or words that are in the name of one alone. */
function named({ state }: Turn, own: readonly Own[], given: readonly string[]): Own | undefined {
  const [first = ''] = given;
  if (/^\d{1,2}$/.test(first)) {
    const id = (state.alerts ?? own.map((one) => one.id))[Number(first) - 1];
    return own.find((one) => one.id === id);
  }
  if (isId(given)) return own.find(({ id }) => id.replaceAll('-', '') === first);
  const fits = own.filter(({ name }) => {
    const names = tokensOf(name);
    return given.some((word) => names.includes(word));
  });
  return fits.length === 1 ? fits[0] : undefined;
}

/** True for the id that a button carries. */
const isId = ([first = '']: readonly string[]): boolean => /^[0-9a-f]{32}$/.test(first);

const gone = (turn: Turn): Reply => ({
  text: turn.t('alert.gone'),
  buttons: [[button(turn, 'button.alerts', 'alert')]],
});

const stateOf = ({ t }: Turn, { pace, paused }: Own): string =>
  paused ? t('alert.paused') : t(`alert.state.${pace}`);

function cardOf(turn: Turn, one: Own): Reply {
  const text = turn.t('alert.card', { name: one.name, state: stateOf(turn, one) });
  const { t } = turn;
  const see = one.path ? [[{ label: t('button.seeNow'), url: pageOf(turn, one.path) }]] : [];
  return { text, buttons: [...buttonsOf(turn, one), ...see] };
}

const paceLabels = {
  now: 'button.eachTime',
  day: 'button.eachDay',
  week: 'button.eachWeek',
} as const;

function buttonsOf(turn: Turn, { id, pace, paused }: Own): Button[][] {
  const code = id.replaceAll('-', '');
  const others = alertPaces.filter((one) => one !== pace);
  return [
    [
      paused
        ? button(turn, 'button.resumeAlert', 'resumeAlert', code)
        : button(turn, 'button.pauseAlert', 'pauseAlert', code),
      button(turn, 'button.endAlert', 'endAlert', code),
    ],
    others.map((one) => button(turn, paceLabels[one], 'paceAlert', one, code)),
  ];
}

/** Lists alerts; a number shows one, or does what was asked. */
function list(turn: Turn, own: readonly Own[], what?: AlertAct['act']): Reply {
  const { ctx, state, t } = turn;
  // Without an alert, "stop the alert" is about all messages.
  if (own.length === 0 && what === 'end')
    return { ...stopQuestion(turn), text: paragraphs(t('alert.none'), t('stop.ask')) };
  if (own.length === 0) return { text: paragraphs(t('alert.none'), t('alert.ask')) };
  const shown = own.slice(0, most);
  state.alerts = shown.map(({ id }) => id);
  const command = what && what !== 'pace' ? (`${what}Alert` as const) : 'alert';
  const numbers = shown.map(({ id, name }, n) => ({
    label: String(n + 1),
    say: typed(ctx.language, command, id.replaceAll('-', '')),
    row: { title: `${n + 1}. ${name}`, description: '' },
  }));
  return {
    text: paragraphs(
      what ? t('alert.which') : t('alert.title', { count: own.length }),
      lines(
        ...shown.map((one, n) =>
          t('alert.line', { number: String(n + 1), name: one.name, state: stateOf(turn, one) }),
        ),
      ),
      own.length > shown.length && t('alert.rest', { link: pageOf(turn) }),
      !what && t('alert.hint'),
    ),
    buttons: rows(numbers, 4),
  };
}
