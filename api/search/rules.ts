import { categories, conditions } from '../../db/vocabularies.ts';
import { regionNamed } from '../shared/places/regions.ts';
import { priceOf } from '../shared/price.ts';
import { keptDays } from '../shared/retention/periods.ts';
import { normalized, searchWords } from '../shared/search.ts';
import { lanes, type SearchField, type SearchNote, sorts } from './schema.ts';

/** Letters of a search that are read, and the longest price. */
const longestSearch = 200;
const mostPrice = 999_999_999;
const mostPage = 1000;
export const resultsPerPage = 24;
/** What has ended can be found for this many days (product R49). */
export const endedDays = keptDays.searchable;
/** Ends within so many hours count as soon. */
export const soonHours = 6;
export const fewestLetters = 2;

type Category = (typeof categories)[number];
export type Asked = {
  q?: string;
  category?: Category;
  condition?: (typeof conditions)[number];
  region?: string;
  min?: number;
  max?: number;
  lane?: (typeof lanes)[number];
  soon?: true;
  verified?: true;
  sort: (typeof sorts)[number];
  page: number;
};
export type Given = Partial<Record<SearchField, string | undefined>>;

/**
 * Key of a region, as addresses hold it: the code of one of the ten (decision 070), or a seller's
 * own words. `findable_source` in the database does the same.
 */
export const regionKey = (region: string): string =>
  regionNamed(region.slice(0, 200)) ??
  normalized(region.slice(0, 200)).replaceAll(' ', '-').slice(0, 60);

/** One line without control characters or half letters. */
export const cleanSearch = (text: string): string =>
  text
    .slice(0, longestSearch)
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(/\p{Cs}/gu, '')
    .trim();

/** Reads an address leniently; `notes` names what could not be used as it was. */
export function askedIn(given: Given): { asked: Asked; notes: SearchNote[] } {
  const notes: SearchNote[] = [];
  const oneOf = <Known extends string>(
    known: readonly Known[],
    text: string | undefined,
    note: SearchNote,
  ): Known | undefined => {
    const found = known.find((one) => one === text?.trim());
    if (text?.trim() && !found) notes.push(note);
    return found;
  };
  const q = cleanSearch(given.q ?? '');
  if ((given.q?.trim().length ?? 0) > longestSearch) notes.push('wordsCut');
  const words = searchWords(q);
  if (q && words.length === 0) notes.push('noWords');
  const category = oneOf(categories, given.category, 'categoryUnknown');
  const condition = oneOf(conditions, given.condition, 'conditionUnknown');
  const region = regionKey(given.region ?? '');
  const prices = [amountIn(given.min), amountIn(given.max)];
  if (prices.includes(null)) notes.push('priceUnknown');
  let [min, max] = prices.map((price) => price ?? undefined);
  if (min !== undefined && max !== undefined && min > max) {
    notes.push('priceSwapped');
    [min, max] = [max, min];
  }
  const lane = oneOf(lanes, given.lane, 'laneUnknown');
  const sort = oneOf(sorts, given.sort, 'sortUnknown');
  const page = (given.page ?? '1').trim() || '1';
  const number = /^\d{1,4}$/.test(page) ? Number(page) : 0;
  if (number < 1 || number > mostPage) notes.push('pageBeyond');
  const usual = words.length > 0 ? 'match' : 'ending';
  return {
    asked: {
      ...(words.length > 0 && { q }),
      ...(category && { category }),
      ...(condition && { condition }),
      ...(region && { region }),
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      ...(lane && { lane }),
      ...(isOn(given.soon) && { soon: true as const }),
      ...(isOn(given.verified) && { verified: true as const }),
      sort: sort === 'match' ? usual : (sort ?? usual),
      page: Math.min(Math.max(number, 1), mostPage),
    },
    notes,
  };
}

const isOn = (text: string | undefined): boolean => /^(?:1|on|true|yes)$/.test(text?.trim() ?? '');

/** Undefined if empty, null if it is no amount of XAF. */
function amountIn(text: string | undefined): number | null | undefined {
  const amount = priceOf(text ?? '');
  if (amount === undefined) return undefined;
  return amount >= 0 ? Math.min(Math.round(amount), mostPrice) : null;
}

/** The address's query of a search, without defaults and in one order. */
export function queryOf(asked: Partial<Asked>): string {
  const { q, category, condition, region, min, max, lane, soon, verified, sort, page } = asked;
  const usual = q ? 'match' : 'ending';
  const query = new URLSearchParams({
    ...(q && { q }),
    ...(category && { category }),
    ...(condition && { condition }),
    ...(region && { region }),
    ...(min !== undefined && { min: String(min) }),
    ...(max !== undefined && { max: String(max) }),
    ...(lane && { lane }),
    ...(soon && { soon: '1' }),
    ...(verified && { verified: '1' }),
    ...(sort && sort !== usual && { sort }),
    ...(page && page > 1 && { page: String(page) }),
  }).toString();
  return query && `?${query}`;
}

export type Marked = { text: string; hit: boolean };

/** Splits a text into parts, those that match a word or phrase of the search marked. */
export function markedIn(text: string, words: readonly string[]): Marked[] {
  const parts = [...text.matchAll(/[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu)].map(([part]) => ({
    text: part,
    word: normalized(part),
    hit: false,
  }));
  const said = parts.flatMap(({ word }, at) => (word === '' ? [] : { word, at }));
  for (const phrase of words) {
    const wanted = phrase.split(' ');
    const fits = wanted.length === 1 ? isForm : (word: string, other: string) => word === other;
    said.forEach((first, from) => {
      const last = said[from + wanted.length - 1];
      if (last && wanted.every((word, n) => fits(said[from + n]?.word ?? '', word)))
        for (const part of parts.slice(first.at, last.at + 1)) part.hit = true;
    });
  }
  const marked: Marked[] = [];
  for (const { text: part, hit } of parts) {
    const last = marked.at(-1);
    if (last?.hit === hit) last.text += part;
    else marked.push({ text: part, hit });
  }
  return marked;
}

/** True if both are forms of one word: equal beginnings, and at most three letters of an ending. */
function isForm(token: string, word: string): boolean {
  if (token === '' || word === '') return false;
  if (token.startsWith(word)) return true;
  const shared = Math.min(token.length, word.length);
  let same = 0;
  while (same < shared && token[same] === word[same]) same++;
  return same >= 4 && Math.max(token.length, word.length) - same <= 2;
}
