import type { Token } from './numbers.ts';
import { goods, type Part, type Pattern, type Patterns, polite, small } from './table.ts';
import type { Heard } from './tokens.ts';

/** A pattern that a sentence holds, and where its parts are. */
export type Hit = { pattern: Pattern; at: number[] };

const mostBetween = 2;
const thanking = new Set(['merci', 'thanks', 'thank']);

/** The patterns that a sentence holds. */
export const hitsOf = ({ byFirstWord }: Patterns, heard: Heard): Hit[] => {
  const words = new Set(heard.tokens.map(({ word, kind }) => (kind === 'number' ? '#' : word)));
  const tried = new Set([...words].flatMap((word) => byFirstWord.get(word) ?? []));
  return [...tried].flatMap((pattern) => {
    if (pattern.asks && !heard.asks) return [];
    const at = pattern.whole
      ? wholeAt(pattern, heard)
      : pattern.loose
        ? anywhere(pattern, heard.tokens)
        : placesOf(pattern, heard.tokens);
    return at ? [{ pattern, at }] : [];
  });
};

/** Denied words fit only patterns that deny them themselves ("not selling"). */
const fits = (part: Part, { word, kind }: Token, denies = false): boolean =>
  part === '#'
    ? kind === 'number'
    : (kind === 'word' || (denies && kind === 'denied')) && part.has(word);

/** Position of the parts in order, with few words between them. */
function placesOf({ parts, denies }: Pattern, tokens: readonly Token[]): number[] | undefined {
  for (let start = 0; start < tokens.length; start++) {
    const places: number[] = [];
    let from = start;
    for (const part of parts) {
      const reach = places.length === 0 ? from : from + mostBetween;
      let at = from;
      while (at <= reach && at < tokens.length && !fits(part, tokens[at] as Token, denies)) at++;
      if (at > reach || at >= tokens.length) break;
      places.push(at);
      from = at + 1;
    }
    if (places.length === parts.length) return places;
  }
  return undefined;
}

/** Positions of the parts, in any order. */
function anywhere({ parts, denies }: Pattern, tokens: readonly Token[]): number[] | undefined {
  const places: number[] = [];
  for (const part of parts) {
    const at = tokens.findIndex((token, n) => !places.includes(n) && fits(part, token, denies));
    if (at < 0) return undefined;
    places.push(at);
  }
  return places;
}

/** Several answers in one ("ok d'accord vas-y"): all words belong to one intent's answers. */
export function answersAt(list: readonly Pattern[], { tokens }: Heard): boolean {
  const taken = new Set<number>();
  for (const { whole, parts } of list) {
    if (!whole) continue;
    for (let from = 0; from + parts.length <= tokens.length; from++)
      if (parts.every((part, n) => fits(part, tokens[from + n] as Token)))
        for (let n = 0; n < parts.length; n++) taken.add(from + n);
  }
  const thin = [...taken].every((n) => polite.has((tokens[n] as Token).word));
  if (thin && tokens.some(({ word }) => thanking.has(word))) return false;
  return taken.size > 0 && tokens.every(({ word }, n) => taken.has(n) || polite.has(word));
}

function wholeAt({ parts }: Pattern, { tokens }: Heard): number[] | undefined {
  const own = (token: Token) => parts.some((part) => fits(part, token));
  const thin =
    parts.length === 1 && [...(parts[0] as Set<string>)].every((word) => polite.has(word));
  const said = tokens
    .filter((token) => own(token) || !polite.has(token.word) || (thin && thanking.has(token.word)))
    .filter((token, n, all) => token.word !== all[n - 1]?.word);
  const same =
    said.length === parts.length && parts.every((part, n) => fits(part, said[n] as Token));
  return same ? tokens.map((_, n) => n) : undefined;
}

/** Words that are neither small nor part of a pattern: most likely a product. */
export function contentOf({ tokens }: Heard, hits: readonly Hit[], evenGoods = false): Token[] {
  const taken = new Set(hits.flatMap(({ at }) => at));
  return tokens.filter(
    ({ word, kind }, n) =>
      kind === 'word' &&
      (!taken.has(n) || (evenGoods && goods.has(word))) &&
      (goods.has(word) || !small.has(word)) &&
      !polite.has(word),
  );
}
