import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from '../support/repository.ts';

/** Figures go through `number()` or a sentence, so that 12345 shows as 12,345 or 12 345. */
const quantities =
  'total|length|count|counts|credits|balance|times|size|views|contacts|shares|position|amount|queueSize|pendingReviews';
const asChild = new RegExp(`>\\s*\\{(?:[\\w.]+\\.)?(?:${quantities})\\}\\s*<`, 'g');
const asCell = new RegExp(`\\bcell: \\(\\{[^}]*\\}\\) => (?:\\w+\\.)*(?:${quantities}) \\}`, 'g');
const asFigure = new RegExp(
  `\\bvalue=\\{stats\\.(?:${quantities}|\\w+Products|totalSlots)\\}`,
  'g',
);
const bare = (text: string): string[] =>
  [asChild, asCell, asFigure].flatMap((pattern) => text.match(pattern) ?? []);

test('no island and no page shows a figure that its language has not grouped', () => {
  const sources = repositoryFiles.filter((file) => /^site\/src\/.*\.(?:tsx|astro)$/.test(file));
  expect(sources.length).toBeGreaterThan(200);
  expect(
    sources.flatMap((file) => bare(textOf(file)).map((text) => `${file}: ${text.trim()}`)),
  ).toEqual([]);
});

test('the rule knows a bare figure when it sees one', () => {
  for (const text of [
    '<strong>{products.total}</strong>',
    '<b>\n  {credits}\n</b>',
    "{ key: 'b', cell: ({ balance }) => balance },",
    "<Figure label={t('queueSize')} value={stats.queueSize} />",
  ])
    expect(bare(text), text).toHaveLength(1);
  for (const text of [
    '<strong>{number(products.total, language)}</strong>',
    "{t('pack', { credits })}",
    'const { total } = page;',
    '<Progress max={total} />',
  ])
    expect(bare(text), text).toEqual([]);
});
