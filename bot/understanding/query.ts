import { type Amount, amountsIn } from '../../api/shared/price.ts';
import { categories } from '../../db/vocabularies.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { isNear, tokensOf } from './words.ts';

type Category = (typeof categories)[number];
export type Query = {
  lane?: 'premium' | 'standard';
  category?: Category;
  place?: string;
  min?: number;
  max?: number;
  words?: string[];
};

type Signs = keyof (typeof dictionaries)['en']['bot']['query'];
const signs = (key: Signs): ReadonlySet<string> =>
  new Set(
    languages.flatMap((language) =>
      dictionaries[language].bot.query[key].split(',').map((words) => tokensOf(words).join(' ')),
    ),
  );
const small = signs('small');
const below = signs('below');
const above = signs('above');
const between = signs('between');
const premium = signs('premium');
const standard = signs('standard');
const currency = signs('currency');

/** Parses a search in any language: lane, price bounds, words. */
export function queryIn(text: string): Query {
  const tokens = tokensOf(text.slice(0, 300));
  const { min, max, taken } = boundsIn(tokens);
  const query: Query = {
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  };
  const words: string[] = [];
  for (const [at, one] of tokens.entries()) {
    if (taken.has(at)) continue;
    if (premium.has(one)) query.lane = 'premium';
    else if (standard.has(one)) query.lane = 'standard';
    else if (!small.has(one) && !currency.has(one)) words.push(one);
  }
  if (words.length > 0) query.words = words.slice(0, 8);
  return query;
}

type Bounds = { min?: number; max?: number; taken: ReadonlySet<number> };

/** Price bounds, with the places of their words. An amount with a unit alone is a maximum. */
export function boundsIn(tokens: readonly string[]): Bounds {
  const bounds: { min?: number; max?: number } = {};
  const taken = new Set<number>();
  const take = (from: number, to: number) => {
    for (let at = from; at < to; at++) taken.add(at);
  };
  const amounts = amountsIn(tokens);
  for (const [n, { value, from, to, sure }] of amounts.entries()) {
    if (taken.has(from)) continue;
    const next = amounts[n + 1];
    const least = next && scaled({ value, sure, to }, next, tokens);
    if (least !== undefined) {
      bounds.min = least;
      bounds.max = next?.value as number;
      take(from, next?.to as number);
      const word = tokens[from - 1] ?? '';
      if (between.has(word) || ranging.has(word)) take(from - 1, from);
      continue;
    }
    const sign = [3, 2, 1]
      .filter((size) => size <= from)
      .map((size) => ({ size, words: tokens.slice(from - size, from).join(' ') }))
      .find(({ words }) => below.has(words) || above.has(words) || between.has(words));
    const ranged = next && next.from <= to + 1 && (between.has(sign?.words ?? '') || sure);
    if (ranged && sign && !below.has(sign.words)) {
      bounds.min = Math.min(value, next.value);
      bounds.max = Math.max(value, next.value);
      take(from - sign.size, next.to);
    } else if (sign && below.has(sign.words)) bounds.max = value;
    else if (sign && above.has(sign.words))
      bounds[isDenied(tokens, from - sign.size) ? 'max' : 'min'] = value;
    else if (sure && bounds.max === undefined) bounds.max = value;
    else continue;
    take(from - (sign?.size ?? 0), to);
  }
  return { ...bounds, taken };
}

/** "Nothing above 150k", "pas plus de 300 mille". */
const isDenied = (tokens: readonly string[], at: number): boolean =>
  tokens.slice(Math.max(0, at - 2), at).some((word) => denying.has(word));
const denying = new Set(['not', 'no', 'nothing', 'never', 'pas', 'rien', 'jamais']);

const ranging = new Set(
  'to a et and jusqu au ou or till from de up reach max maxi maximum min mini minimum'.split(' '),
);

/** The lower end of a range with one unit for both: 200 000 of "entre 200 et 400 mille". */
function scaled(
  { value, sure, to }: Pick<Amount, 'value' | 'sure' | 'to'>,
  next: Amount,
  tokens: readonly string[],
): number | undefined {
  const least = value * next.by;
  const words = tokens.slice(to, next.from);
  const isRange =
    words.length > 0 ? words.every((word) => ranging.has(word)) : least * 4 >= next.value;
  return !sure && next.by > 1 && least < next.value && words.length < 3 && isRange
    ? least
    : undefined;
}

/** Prices in a text: one number is the maximum, two are a range. */
export function pricesIn(text: string): Query | undefined {
  const tokens = tokensOf(text.slice(0, 300));
  const values = amountsIn(tokens).map(({ value }) => value);
  const { min, max } = boundsIn(tokens);
  if (values.length === 1 && min !== undefined) return { min };
  const [one, other] = values;
  if (one === undefined) return undefined;
  return other === undefined
    ? { max: max ?? one }
    : { min: Math.min(one, other), max: Math.max(one, other) };
}

const labelsOf = (category: Category) =>
  languages.map((language) => dictionaries[language].common.categories[category]);

/** The category named in any language, by its full name or one of its words. */
export function categoryIn(text: string): Category | undefined {
  const given = tokensOf(text).filter((token) => !small.has(token));
  if (given.length === 0) return undefined;
  const names = (category: Category) =>
    [category.replace('_', ' '), ...labelsOf(category)].map((label) =>
      tokensOf(label).filter((token) => !small.has(token)),
    );
  return (
    categories.find((category) =>
      names(category).some((name) => name.join(' ') === given.join(' ')),
    ) ??
    categories.find((category) =>
      names(category).some((name) =>
        given.every((word) => name.some((token) => isNear(token, word))),
      ),
    )
  );
}
