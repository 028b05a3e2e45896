import { type Result, searchResults } from '../../api/search/found.ts';
import { resultsPerPage } from '../../api/search/rules.ts';
import { nameIn } from '../../api/shared/format.ts';
import { slotNumber } from '../../api/shared/slots.ts';
import { money } from '../../api/shared/text.ts';
import { type HomepageSlot, homepageProducts } from '../../api/slots/reads.ts';
import { categories } from '../../db/vocabularies.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { lines, paragraphs, rows, short } from '../delivery/layout.ts';
import { categoryIn, pricesIn, type Query, queryIn } from '../understanding/query.ts';
import { typed } from '../understanding/words.ts';
import { button, common, timeLeft } from './say.ts';
import { isLiveSlot, placeOf } from './stall.ts';
import type { Answer, Args, Reply, Turn } from './types.ts';

/** Stalls per answer, for a small screen. */
const pageSize = 6;

type Results = Pick<
  Awaited<ReturnType<typeof searchResults>>,
  'results' | 'total' | 'near' | 'corrected'
> & { offset: number };

/** The fields of a query in the market's search. */
export function fieldsOf({ words = [], place, category, lane, min, max }: Query) {
  const q = [...words, ...(place ? [place] : [])].join(' ');
  return {
    ...(q && { q }),
    ...(category && { category }),
    ...(lane && { lane }),
    ...(min !== undefined && { min: String(min) }),
    ...(max !== undefined && { max: String(max) }),
  };
}

/** The market's search, from the page that holds a place on. */
async function search({ ctx }: Turn, query: Query, from = 0): Promise<Results> {
  const page = Math.floor(from / resultsPerPage);
  const found = await searchResults(ctx, { ...fieldsOf(query), page: String(page + 1) });
  return { ...found, offset: page * resultsPerPage };
}

/** True if the market's search finds each of the words, if need be with slips. */
async function finds(turn: Turn, query: Query): Promise<boolean> {
  return (await search(turn, query)).total > 0;
}

/** Lists live stalls, or the results of the market's search; the query is kept for "more". */
async function list(turn: Turn, query: Query, from = 0): Promise<Reply> {
  const { ctx, t } = turn;
  if (Object.keys(query).length === 0) {
    const live = (await homepageProducts(ctx)).filter((slot) => isLiveSlot(slot, ctx.now()));
    if (live.length === 0) return nothing(turn, t('market.empty'));
    const title = t('market.title', { count: live.length });
    const results = live.map((stall): Result => ({ state: 'live', stall }));
    return shownIn(turn, query, { title, results, total: live.length, from });
  }
  const { results, total, near, corrected, offset } = await search(turn, query, from);
  const said = queryWords(turn, query);
  const say = translator(ctx.language, 'search');
  if (total === 0) {
    const none = t('market.none', { query: said });
    if (near !== 'words' && near !== 'filters') return withAlert(turn, query, nothing(turn, none));
    const title = paragraphs(none, t('market.heading', { title: say(`near.${near}`) }));
    const some = results.slice(0, pageSize);
    const reply = shownIn(turn, {}, { title, results: some, total: some.length, from: 0 });
    delete turn.state.query;
    return withAlert(turn, query, reply);
  }
  const title = lines(
    corrected &&
      say('corrected', { words: short((query.words ?? []).join(' '), 60), meant: corrected }),
    t('market.found', { count: total, query: said }),
  );
  const meant = corrected ? asCorrected(query, corrected) : query;
  return withAlert(turn, meant, shownIn(turn, query, { title, results, total, from, offset }));
}

/** A query whose words were searched in another spelling. */
export const asCorrected = ({ place: _, ...query }: Query, corrected: string): Query => ({
  ...query,
  words: corrected.split(' '),
});

/** Offers to be told of what fits a query. */
const withAlert = (turn: Turn, query: Query, reply: Reply): Reply => ({
  ...reply,
  buttons: [
    ...(reply.buttons ?? []),
    [button(turn, 'button.alert', 'alert', ...sayable(turn, query))],
  ],
});

/** A query in the words of the chat's language, as a person would type it. */
export function sayable({ ctx }: Turn, { words = [], place, category, lane, min, max }: Query) {
  const { below, above, premium, standard } = dictionaries[ctx.language].bot.query;
  const first = (list: string) => list.split(',')[0] ?? '';
  return [
    ...words,
    ...(place ? [place] : []),
    ...(category ? [common(ctx.language)(`categories.${category}`)] : []),
    ...(lane ? [first({ premium, standard }[lane])] : []),
    ...(max === undefined ? [] : [first(below), max]),
    ...(min === undefined ? [] : [first(above), min]),
  ];
}

const nothing = (turn: Turn, text: string): Reply => ({
  text,
  buttons: [[button(turn, 'button.market', 'market')]],
});

type Page = { title: string; results: Result[]; total: number; from: number; offset?: number };

/** A page of results; `offset` is the place of the first of them, if not the first of all. */
function shownIn(
  turn: Turn,
  query: Query,
  { title, results, total, from, offset = 0 }: Page,
): Reply {
  const { ctx, state, t } = turn;
  const shown = results.slice(from - offset, from - offset + pageSize);
  state.query = query;
  state.shown = from + shown.length;
  const left = total - state.shown;
  const numbers = shown.flatMap((result) =>
    result.state === 'live'
      ? [
          {
            label: `#${slotNumber(result.stall.slot_id)}`,
            say: typed(ctx.language, 'show', result.stall.slot_id),
            row: rowOf(turn, result.stall),
          },
        ]
      : [],
  );
  return {
    text: paragraphs(
      from === 0 && title,
      shown
        .map((result) =>
          result.state === 'live' ? lineOf(turn, result.stall) : pastLine(turn, result),
        )
        .join('\n\n'),
      left > 0 && t('market.rest', { count: left }),
    ),
    buttons: [...rows(numbers, 3), ...(left > 0 ? [[button(turn, 'button.more', 'more')]] : [])],
  };
}

/** A stall in a list of WhatsApp's: its name, then price and place. */
function rowOf({ ctx }: Turn, slot: HomepageSlot): { title: string; description: string } {
  const price = slot.product_price ? money(slot.product_price, ctx.language) : undefined;
  return {
    title: `#${slotNumber(slot.slot_id)} ${nameIn(slot.product_name, ctx.language)}`,
    description: [price, placeOf(slot, ctx.language)].filter(Boolean).join(' · '),
  };
}

/** A listing that is over or waits again: without a number, as nobody can be contacted for it. */
function pastLine({ ctx }: Turn, { state, past }: Exclude<Result, { state: 'live' }>): string {
  const price = past.price ? money(past.price, ctx.language) : undefined;
  const over = translator(ctx.language, 'search')(`states.${state}`);
  return lines(
    short(nameIn(past.name, ctx.language), 80),
    [price, over].filter(Boolean).join(' · '),
  );
}

function lineOf(turn: Turn, slot: HomepageSlot): string {
  const { ctx, t } = turn;
  const price = slot.product_price ? money(slot.product_price, ctx.language) : undefined;
  const left = t('time.left', { time: timeLeft(turn, slot.end_time ?? ctx.now(), ctx.now()) });
  const title = t('market.line', {
    slot: slotNumber(slot.slot_id),
    name: short(nameIn(slot.product_name, ctx.language), 80),
  });
  return lines(
    title,
    [price, short(placeOf(slot, ctx.language), 60), left].filter(Boolean).join(' · '),
  );
}

function queryWords({ ctx, t }: Turn, { lane, category, place, min, max, words }: Query): string {
  const said = common(ctx.language);
  return [
    lane && t(`button.${lane}`),
    category && said(`categories.${category}`),
    words?.length && t('market.words', { words: short(words.join(' '), 60) }),
    place && t('market.words', { words: short(place, 40) }),
    min !== undefined && t('market.over', { amount: money(min, ctx.language) }),
    max !== undefined && t('market.under', { amount: money(max, ctx.language) }),
  ]
    .filter(Boolean)
    .join(', ');
}

export const market = (turn: Turn): Promise<Reply> => list(turn, {});
export const more = (turn: Turn): Promise<Answer> | Answer => {
  const { state, t } = turn;
  return state.query
    ? list(turn, state.query, state.shown ?? 0).then((reply) =>
        reply.text ? reply : { text: t('market.noMore') },
      )
    : list(turn, {});
};
export const lane =
  (which: 'premium' | 'standard') =>
  (turn: Turn, { text }: Args) =>
    list(turn, { ...queryIn(text), lane: which });
export const find = (turn: Turn, { text, query = queryIn(text) }: Args) => list(turn, query);

/** Lists what a text names; undefined if nothing is found. */
export const found = async (turn: Turn, { query }: Args): Promise<Answer | undefined> =>
  query && (await finds(turn, query)) ? list(turn, query) : undefined;

/** Lists a category's stalls, or the categories with live stalls. */
export async function byCategory(turn: Turn, { text, words }: Args): Promise<Answer> {
  const { ctx, t } = turn;
  const category = categoryIn(text);
  if (category) return list(turn, { category });
  const live = (await homepageProducts(ctx)).filter((slot) => isLiveSlot(slot, ctx.now()));
  if (live.length === 0) return list(turn, {});
  const said = common(ctx.language);
  const buttons = categories.flatMap((one) => {
    const number = live.filter((slot) => slot.product_category === one).length;
    const label = said(`categories.${one}`);
    return number > 0
      ? [
          {
            label: t('market.category', { category: label, number: String(number) }),
            say: typed(ctx.language, 'categories', label),
          },
        ]
      : [];
  });
  return {
    text: t(words.length > 0 ? 'market.noCategory' : 'market.categories'),
    buttons: rows(buttons, 2),
  };
}

/** Lists a town's stalls, or the towns with most live stalls. */
export async function byPlace(turn: Turn, { text, words }: Args): Promise<Answer> {
  const { ctx, t } = turn;
  const slots = await homepageProducts(ctx);
  if (words.length > 0 && (await finds(turn, { place: text })))
    return list(turn, { place: short(text, 60) });
  const counts = new Map<string, number>();
  for (const slot of slots) {
    const city = slot.product_city?.trim();
    if (city && isLiveSlot(slot, ctx.now())) counts.set(city, (counts.get(city) ?? 0) + 1);
  }
  if (counts.size === 0) return list(turn, {});
  const buttons = [...counts]
    .sort(([one, a], [other, b]) => b - a || one.localeCompare(other))
    .slice(0, 10)
    .map(([place, number]) => ({
      label: t('market.place', { place, number: String(number) }),
      say: typed(ctx.language, 'places', short(place, 30)),
    }));
  return {
    text: t(words.length > 0 ? 'market.noPlace' : 'market.places'),
    buttons: rows(buttons, 2),
  };
}

export function byPrice(turn: Turn, { text }: Args): Promise<Answer> | Answer {
  const prices = pricesIn(text);
  if (!prices) return { text: turn.t('market.priceAsk') };
  const { min: _min, max: _max, ...kept } = turn.state.query ?? {};
  return list(turn, { ...kept, ...prices });
}
