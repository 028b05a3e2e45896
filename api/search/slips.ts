import { fold } from './fold.ts';

/** Longer words are neither remembered nor corrected. */
const longest = 30;

/** Slips forgiven in a word of this many letters. */
const slipsIn = (letters: number): number => (letters >= 8 ? 2 : letters >= 4 ? 1 : 0);

type Known = { word: string; count: number };

export type Vocabulary = {
  readonly size: number;
  /** The known word that a misspelt one most likely means; itself when it is known. */
  nearest(word: string): string | undefined;
};

/** @param words with the number of texts that have each */
export function vocabularyOf(words: ReadonlyMap<string, number>): Vocabulary {
  const sounds = new Map<string, Known[]>();
  const byLength = new Map<number, Known[]>();
  for (const [word, count] of words) {
    if (word.length < 3 || word.length > longest || /^\d+$/.test(word)) continue;
    const known = { word, count };
    put(sounds, fold(word), known);
    put(byLength, word.length, known);
  }
  return {
    size: words.size,
    nearest(word) {
      if (words.has(word)) return word;
      if (word.length < 2 || word.length > longest || /^\d+$/.test(word)) return undefined;
      return (
        closest(sounds.get(fold(word)) ?? [], word, longest) ??
        closest(withinReach(byLength, word), word, slipsIn(word.length))
      );
    },
  };
}

function put<Key>(map: Map<Key, Known[]>, key: Key, known: Known): void {
  const others = map.get(key);
  if (others) others.push(known);
  else map.set(key, [known]);
}

const withinReach = (byLength: ReadonlyMap<number, Known[]>, { length }: string): Known[] => {
  const most = slipsIn(length);
  return most === 0
    ? []
    : Array.from({ length: 2 * most + 1 }, (_, n) => byLength.get(length - most + n) ?? []).flat();
};

function closest(words: readonly Known[], given: string, most: number): string | undefined {
  let best: Known | undefined;
  let least = most;
  for (const known of words) {
    const slips = slipsBetween(given, known.word, least);
    if (slips > least || (slips === least && best && rank(known, given) <= rank(best, given)))
      continue;
    best = known;
    least = slips;
  }
  return best?.word;
}

/** People rarely miss the first letter; then the more frequent word counts. */
const rank = ({ word, count }: Known, given: string): number =>
  (word[0] === given[0] ? 1e9 : 0) + count;

/** Damerau-Levenshtein distance, or `most` + 1 when it is greater. Looks at a band only. */
export function slipsBetween(one: string, other: string, most: number): number {
  const tooMany = most + 1;
  if (Math.abs(one.length - other.length) > most) return tooMany;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, n) => (n > most ? tooMany : n));
  for (let i = 1; i <= one.length; i++) {
    const row = new Array<number>(other.length + 1).fill(tooMany);
    if (i <= most) row[0] = i;
    let least = row[0] as number;
    for (let j = Math.max(1, i - most); j <= Math.min(other.length, i + most); j++) {
      let slips = Math.min(
        (last[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1),
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
      );
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        slips = Math.min(slips, (before[j - 2] as number) + 1);
      row[j] = Math.min(slips, tooMany);
      least = Math.min(least, row[j] as number);
    }
    if (least > most) return tooMany;
    [before, last] = [last, row];
  }
  return last[other.length] as number;
}
