import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  type Feature,
  featuresOf,
  type Header,
  modelSize,
  sharesOf,
} from '../../bot/understanding/classify.ts';
import { heardIn } from '../../bot/understanding/tokens.ts';
import { languages } from '../../locales/languages.ts';
import { examples, localeText } from './examples.ts';

const rounds = 10;
const firstRate = 6;
const slower = 0.25;
const leastError = 0.002;
const mostWeight = 127;
/** Hash of all that the model is made of: the examples and the tables that read them. */
export const sources = (): string =>
  createHash('sha256')
    .update(
      languages.flatMap((one) => [localeText(one, 'examples'), localeText(one, 'intents')]).join(),
    )
    .digest('hex')
    .slice(0, 16);

/** Logistic regression by stochastic gradient descent, in an order that is always the same. */
function train(): { header: Header; weights: Int8Array[] } {
  const intents = [...new Set(examples.map(({ intent }) => intent))].sort();
  // What means the same without a card means it below one too.
  const seen = examples.flatMap(({ say, card, intent }) =>
    (card === undefined ? [false, true] : [true]).map((hasCard): [Feature[], number] => {
      const { tokens, asks } = heardIn(say, hasCard);
      return [featuresOf({ text: say, tokens, asks, hasCard }), intents.indexOf(intent)];
    }),
  );
  const weights = intents.map(() => new Float64Array(modelSize));
  const random = numbersFrom(54);
  for (let round = 0; round < rounds; round++) {
    const rate = firstRate / (1 + round * slower);
    for (const [features, right] of shuffled(seen, random)) {
      const scores = weights.map((row) =>
        features.reduce((sum, [at, value]) => sum + (row[at] as number) * value, 0),
      );
      for (const [n, share] of sharesOf(scores).entries()) {
        const error = share - (n === right ? 1 : 0);
        if (Math.abs(error) < leastError) continue;
        const row = weights[n] as Float64Array;
        for (const [at, value] of features) row[at] = (row[at] as number) - rate * error * value;
      }
    }
  }
  const most = weights.map((row) => row.reduce((one, other) => Math.max(one, Math.abs(other)), 0));
  return {
    header: { intents, scales: most.map((one) => one / mostWeight), sources: sources() },
    weights: weights.map((row, n) =>
      Int8Array.from(row, (one) => Math.round((one / (most[n] as number)) * mostWeight)),
    ),
  };
}

/** Park and Miller's generator, from 0 to 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const mixed = [...list];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
  }
  return mixed;
}

/** `bun run train`: trains the chat's classifier and writes its file. */
if (import.meta.main) {
  const { header, weights } = train();
  const file = new URL('../../bot/understanding/model.gz', import.meta.url);
  writeFileSync(
    file,
    gzipSync(
      Buffer.concat([
        Buffer.from(`${JSON.stringify(header)}\n`),
        ...weights.map((row) => Buffer.from(row.buffer)),
      ]),
      { level: 9 },
    ),
  );
  console.log(`${examples.length} examples of ${header.intents.length} intents`);
}
