import type { KeptAnswers } from '../../../api/drafts/schema.ts';
import { hasPhoneNumber } from '../../../api/shared/contact/phoneNumbers.ts';
import { priceOf } from '../../../api/shared/price.ts';
import { knownPlace } from '../joining/joinPlace.ts';
import type { Turn } from '../types.ts';

const longest = 200;
const mostWords = 4;
/** Smaller amounts need a currency: they may be a size or a model. */
const surePrice = 1000;

type Found = { from: number; to: number };

/** Digits, with groups of three in the words behind; a currency may be beside them. */
function amountIn(words: readonly string[]): number | undefined {
  const digits = words.filter((word) => /\d/.test(word));
  const [first, ...groups] = digits;
  if (first === undefined || groups.some((word) => !/^\d{3}[a-z.]{0,6}$/i.test(word)))
    return undefined;
  if (groups.length > 0 && !/^[a-z.]{0,6}\d{1,3}$/i.test(first)) return undefined;
  const text = words.join(' ');
  const price = priceOf(text);
  if (price === undefined || !Number.isInteger(price) || price <= 0) return undefined;
  const named = /[a-z]/i.test(text);
  return named || price >= surePrice ? price : undefined;
}

/** The last amount of a text, by the rule of prices. */
function priceIn(words: readonly string[]): (Found & { value: number }) | undefined {
  for (let to = words.length; to > 0; to--)
    for (let from = Math.max(0, to - mostWords); from < to; from++) {
      const value = amountIn(words.slice(from, to));
      if (value !== undefined) return { from, to, value };
    }
  return undefined;
}

/** A listed town at the end of the words. */
function townAtEnd(turn: Turn, words: readonly string[]): (Found & { value: string }) | undefined {
  for (const count of [3, 2, 1]) {
    if (count >= words.length) continue;
    const value = knownPlace(turn, words.slice(-count).join(' '));
    if (value !== undefined) return { from: words.length - count, to: words.length, value };
  }
  return undefined;
}

const joining = new Set(['a', 'à', 'at', 'in', 'pour', 'for', 'prix', 'price', '-', '–', ':']);

function nameOf(words: readonly string[]): string {
  const left = [...words];
  while (left.length > 0 && joining.has((left.at(-1) as string).toLowerCase())) left.pop();
  return left.join(' ');
}

/**
 * Name, price and place of a caption such as "Frigo 65 000 Douala", as answers of a draft.
 * Undefined without a price and a name, or with a phone number.
 */
export function readCaption(turn: Turn, caption: string): KeptAnswers | undefined {
  if (caption.length > longest || hasPhoneNumber(caption)) return undefined;
  const words = caption.split(/[\s,;\u00a0\u202f]+/).filter(Boolean);
  const price = priceIn(words);
  if (!price) return undefined;
  const rest = words.toSpliced(price.from, price.to - price.from);
  const town = townAtEnd(turn, rest);
  const name = nameOf(town ? rest.slice(0, town.from) : rest);
  if (name === '') return undefined;
  return {
    [`name.${turn.ctx.language}`]: name,
    price: String(price.value),
    ...(town ? { sellerLocation: town.value } : {}),
  };
}
