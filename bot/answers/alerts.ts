import { addAlert } from '../../api/alerts/add.ts';
import { changeAlert } from '../../api/alerts/change.ts';
import { ownAlerts, ownChannels } from '../../api/alerts/reads.ts';
import type { AlertAct } from '../../api/alerts/schema.ts';
import { searchMarket } from '../../api/search/market.ts';
import { productCode } from '../../api/shared/slugs/productCode.ts';
import { aroundProduct } from '../../api/shops/reads.ts';
import { alertPaces } from '../../db/vocabularies.ts';
import { lines, paragraphs, rows } from '../delivery/layout.ts';
import type { Query } from '../understanding/query.ts';
import { means } from '../understanding/stop.ts';
import { typed } from '../understanding/words.ts';
import { turnedAway } from './gates.ts';
import { fieldsOf, sayable } from './market.ts';
import { notices } from './notices.ts';
import { button, isClosed } from './say.ts';
import { stallIn } from './stall.ts';
import type { Answer, Args, Button, Reply, Turn } from './types.ts';

type Own = Awaited<ReturnType<typeof ownAlerts>>[number];
/** Lines of a list, for a small screen. */
const most = 8;

/** Tells of what a text names, shows one alert, or lists them. */
export async function alert(turn: Turn, args: Args): Promise<Answer> {
  const [first = ''] = args.words;
  if (means(first) !== undefined) return notices(turn, args);
  const away = notForThisChat(turn);
  if (away) return away;
  if (args.query && Object.keys(args.query).length > 0) return added(turn, args.query);
  const own = await ownAlerts(turn.ctx);
  const one = named(turn, own, first);
  if (one) return cardOf(turn, one);
  return own.length > 0 && first ? gone(turn) : list(turn, own);
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

/** Changes an alert by its number, its id, or as the only one. */
export const act =
  (what: AlertAct['act']) =>
  async (turn: Turn, { words }: Args): Promise<Answer> => {
    const { ctx, t } = turn;
    const own = await ownAlerts(ctx);
    const [first = '', second = ''] = words;
    const pace = alertPaces.find((one) => one === (what === 'pace' ? first : ''));
    const given = what === 'pace' ? second : first;
    const only = given === '' && own.length === 1 ? own[0] : undefined;
    const one = only ?? named(turn, own, given);
    if (!one || (what === 'pace' && !pace)) return given ? gone(turn) : list(turn, own, what);
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

/** Reply of a chat that is told nothing now. */
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
  const fields = fieldsOf(query);
  const search = new URLSearchParams(fields).toString();
  const { text, buttons = [] } = await confirmed(
    turn,
    await addAlert(ctx, { search, shop: '', pace: 'now' }),
  );
  const { items, near } = await searchMarket(ctx, fields);
  const live = near ? 0 : items.filter(({ state }) => state === 'live').length;
  const see = button(turn, 'button.seeNow', 'find', ...sayable(turn, query));
  return {
    text: paragraphs(text, live > 0 && t('alert.now', { count: live })),
    buttons: [...(live > 0 ? [[see]] : []), ...buttons],
  };
}

/** Says where its person is told, and offers to change it. */
async function confirmed(turn: Turn, id: string): Promise<Reply> {
  const { ctx, chat, t } = turn;
  const one = (await ownAlerts(ctx)).find((own) => own.id === id) as Own;
  const chosen = ctx.actor.kind === 'visitor' ? null : (await ownChannels(ctx)).chosen;
  const { name } = one;
  const elsewhere = chosen !== null && chosen !== chat.transport ? chosen : undefined;
  return {
    text: elsewhere
      ? t('alert.elsewhere', { name, where: t(`alert.where.${elsewhere}`), link: pageOf(turn) })
      : t('alert.added', { name }),
    buttons: buttonsOf(turn, one),
  };
}

const pageOf = ({ ctx }: Turn, path = '/alerts'): string =>
  `${ctx.services.env.publicUrl}/${ctx.language}${path}`;

/** An alert by its number in the last list, or its id. */
function named({ state }: Turn, own: readonly Own[], given: string): Own | undefined {
  const wanted = /^\d{1,2}$/.test(given) ? state.alerts?.[Number(given) - 1] : given;
  return own.find(({ id }) => [id, id.replaceAll('-', '')].includes(wanted ?? ''));
}

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
