import { placeWords } from '../../api/shared/places/placeWords.ts';
import { isPremium } from '../../api/shared/slots.ts';
import type { HomepageSlot } from '../../api/slots/reads.ts';
import { categories } from '../../db/vocabularies.ts';
import { dictionaries } from '../../locales/index.ts';
import { type Bilingual, languages } from '../../locales/languages.ts';
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
const premium = signs('premium');
const standard = signs('standard');
const currency = signs('currency');

/** Normalizes amounts such as `50 000`, `50,000`, `50.000` and `50k`. */
const plainAmounts = (text: string): string =>
  text
    .replaceAll(/(?<=\d)[ \u00a0\u202f.,](?=\d{3}(?!\d))/g, '')
    .replaceAll(/(\d{1,40})\s?k\b/gi, (_, number: string) => `${number.slice(0, 5)}000`);

/** Parses a search in any language: lane, price bounds, words. */
export function queryIn(text: string): Query {
  const query: Query = {};
  const tokens = tokensOf(plainAmounts(text.slice(0, 300)));
  const words: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const one = tokens[at] as string;
    const two = `${one} ${tokens[at + 1] ?? ''}`;
    const sign = [two, one].find((words) => below.has(words) || above.has(words));
    const amount = sign && tokens[at + (sign === two ? 2 : 1)];
    if (sign && amount && /^\d{1,9}$/.test(amount)) {
      if (below.has(sign)) query.max = Number(amount);
      else query.min = Number(amount);
      at += sign === two ? 2 : 1;
    } else if (premium.has(one)) query.lane = 'premium';
    else if (standard.has(one)) query.lane = 'standard';
    else if (!small.has(one) && !currency.has(one)) words.push(one);
  }
  if (words.length > 0) query.words = words.slice(0, 8);
  return query;
}

/** Prices in a text: one number is the maximum, two are a range. */
export function pricesIn(text: string): Query | undefined {
  const { min, max, words = [] } = queryIn(text);
  if (min !== undefined || max !== undefined)
    return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  const amounts = words.filter((word) => /^\d{1,9}$/.test(word)).map(Number);
  const [one, other] = amounts;
  if (one === undefined) return undefined;
  return other === undefined
    ? { max: one }
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

const both = (text: Bilingual | null): string =>
  typeof text === 'string' ? text : Object.values(text ?? {}).join(' ');
const placeOf = (slot: HomepageSlot): string[] =>
  tokensOf(
    [
      slot.product_city,
      slot.product_region,
      ...languages.flatMap((language) => placeWords(language, [], slot.product_region_code)),
    ].join(' '),
  );

/** Live stalls that match. Words match by prefix; if none does, near misses count. */
export function matching(slots: readonly HomepageSlot[], query: Query, now: Date): HomepageSlot[] {
  const live = slots.filter((slot) => isLiveSlot(slot, now) && fits(slot, query));
  const { words = [], place } = query;
  const asked = place ? tokensOf(place) : [];
  const found = (hit: (token: string, word: string) => boolean) =>
    live.filter((slot) => {
      const there = placeOf(slot);
      if (!asked.every((word) => there.some((token) => hit(token, word)))) return false;
      if (words.length === 0) return true;
      const category = slot.product_category
        ? labelsOf(slot.product_category as Category).join(' ')
        : '';
      const text = [
        ...tokensOf(
          `${both(slot.product_name)} ${both(slot.product_description)} ${slot.business_name ?? ''} ${category}`,
        ),
        ...there,
      ];
      return words.every((word) => text.some((token) => hit(token, word)));
    });
  const exact = found((token, word) => token.startsWith(word));
  return exact.length > 0
    ? exact
    : found((token, word) => token.startsWith(word) || isNear(token, word));
}

export const isLiveSlot = (slot: HomepageSlot, now: Date): boolean =>
  slot.slot_active &&
  slot.product_id !== null &&
  slot.end_time !== null &&
  new Date(slot.end_time) > now;

function fits(slot: HomepageSlot, { lane, category, min, max }: Query): boolean {
  if (lane && isPremium(slot.slot_id) !== (lane === 'premium')) return false;
  if (category && slot.product_category !== category) return false;
  const price = slot.product_price ?? 0;
  // A product without a price never matches a maximum.
  return (min === undefined || price >= min) && (max === undefined || (price > 0 && price <= max));
}
