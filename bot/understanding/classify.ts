import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Token } from './numbers.ts';
import { goods } from './table.ts';

/**
 * A second opinion on the intent of a sentence: logistic regression over its words, pairs of words
 * and runs of letters, trained by `bun run train` from `examples.*.json` (decision 074).
 */
export const modelSize = 8192;
const runs = [3, 4, 5];
const mostLetters = 300;

/** Header of the model's file: its intents, the scale of each one's weights, its sources. */
export type Header = { intents: string[]; scales: number[]; sources: string };
export type Sentence = { text: string; tokens: readonly Token[]; asks: boolean; hasCard: boolean };
export type Feature = readonly [at: number, value: number];

/** FNV-1a, within the model. */
function placeOf(name: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < name.length; at++) {
    hash ^= name.charCodeAt(at);
    hash = Math.imul(hash, 16_777_619);
  }
  return (hash >>> 0) % modelSize;
}

/** Features of a sentence, scaled to length one. Goods and numbers count by their kind. */
export function featuresOf({ text, tokens, asks, hasCard }: Sentence): Feature[] {
  const found = new Map<number, number>();
  const add = (name: string, value: number) => {
    const at = placeOf(name);
    found.set(at, (found.get(at) ?? 0) + value);
  };
  add('any', 1);
  if (hasCard) add('card', 1);
  if (asks) add('?', 1);
  add(`length ${Math.min(6, Math.floor(tokens.length / 3))}`, 0.5);
  const words = tokens.map(({ word, kind }) =>
    kind !== 'word' ? `#${kind}` : goods.has(word) ? '#goods' : word,
  );
  for (const [at, word] of words.entries()) {
    add(`word ${word}`, 1);
    add(`pair ${words[at - 1] ?? ''} ${word}`, 1);
    if (at > 1) add(`skip ${words[at - 2]} ${word}`, 0.7);
  }
  const letters = ` ${text
    .slice(0, mostLetters)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9?]+/g, ' ')
    .trim()} `;
  for (const length of runs)
    for (let at = 0; at + length <= letters.length; at++)
      add(`run ${letters.slice(at, at + length)}`, 0.35);
  const norm = Math.sqrt([...found.values()].reduce((sum, value) => sum + value * value, 0));
  return [...found].map(([at, value]) => [at, value / norm]);
}

/** Probabilities of scores (softmax). */
export function sharesOf(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Reads a model's file: its header as JSON, a line break, one byte for each weight; gzipped. */
function modelIn(file: Uint8Array): { header: Header; weights: Int8Array[] } {
  const bytes = gunzipSync(file);
  const end = bytes.indexOf(10);
  const header = JSON.parse(bytes.subarray(0, end).toString()) as Header;
  const weights = header.intents.map((_, n) => {
    const from = end + 1 + n * modelSize;
    return new Int8Array(bytes.subarray(from, from + modelSize));
  });
  return { header, weights };
}

export const model = modelIn(readFileSync(new URL('model.gz', import.meta.url)));

/** Probability of each intent. */
export function opinionOn(sentence: Sentence): Map<string, number> {
  const features = featuresOf(sentence);
  const { intents, scales } = model.header;
  const scores = model.weights.map((weights, n) => {
    const sum = features.reduce((total, [at, value]) => total + (weights[at] as number) * value, 0);
    return sum * (scales[n] as number);
  });
  const shares = sharesOf(scores);
  return new Map(intents.map((intent, n) => [intent, shares[n] as number]));
}
