import { expect, test } from 'vitest';
import { type Verb, verbsIn } from './support/verbs.ts';

/** Reads that number an account at its first look; they check access in `ownAccount`. */
const reads = ['statement', 'wholeStatement', 'ownPurchases'];
const verbs = verbsIn().filter(({ name }) => !reads.includes(name));
const placeOf = ({ file, line, name }: Verb) => `${file}:${line} ${name}`;
const secondsIn = (found: readonly Verb[]) =>
  found
    .filter(({ file, line }) => found.some((one) => one.file === file && one.line < line))
    .map((verb) => `${placeOf(verb)}: give this verb a file of its own`);
const uncheckedIn = (found: readonly Verb[]) =>
  found
    .filter(({ checked }) => !checked)
    .map(
      (verb) =>
        `${placeOf(verb)}: begin with require…(ctx), admit(ctx.actor, …) or openToEveryone(ctx)`,
    );

test('each file of the API holds one verb', () => {
  expect(verbs.length).toBeGreaterThan(110);
  expect(secondsIn(verbs)).toEqual([]);
});

test('each verb begins with its access check', () => {
  expect(uncheckedIn(verbs)).toEqual([]);
});

test('a second verb, a verb without a check and one that writes through another are found', () => {
  const planted: Record<string, string> = {
    'api/core/transaction.ts':
      'export const inTransaction = (ctx, work) => ctx.db.transaction(work);',
    'api/shop/sell.ts': `import { inTransaction } from '../core/transaction.ts';
export async function sell(ctx: Ctx) {
  requireSeller(ctx);
  return part(ctx);
}
export const give = (ctx: Ctx) => part(ctx);
const part = (ctx: Ctx) => inTransaction(ctx, (tx) => lock(tx));
export async function lock(tx: Ctx) {
  await tx.db.update(rows);
}
export async function ownRows(ctx: Ctx) {
  return ctx.db.select().from(rows);
}
`,
    'api/shop/routes.ts': "import { give, ownRows, lock } from './sell.ts';",
  };
  const found = verbsIn(Object.keys(planted), (file) => planted[file] ?? '');
  expect(found.map(({ name }) => name)).toEqual(['sell', 'give']);
  expect(secondsIn(found)).toHaveLength(1);
  expect(secondsIn(found)[0]).toMatch(/^api\/shop\/sell\.ts:6 give/);
  expect(uncheckedIn(found)).toHaveLength(1);
});
