/** What `bun run test:one` and `test:watch` hand to vitest, or the sentence that says what was wrong with the words. */
export type Choice = { projects: ('unit' | 'browser')[] } | { problem: string };

/** Options of vitest that stand before their value. */
const withValue = ['-t', '--testNamePattern'];

/**
 * Which projects the given words need: only browser tests wait for a build.
 * @param files every test file, as vitest matches words against them: `tests/verbs/approve.test.ts`
 */
export function choose(
  mode: 'run' | 'watch',
  given: readonly string[],
  files: readonly string[],
): Choice {
  const words = given
    .filter((word, index) => !word.startsWith('-') && !withValue.includes(given[index - 1] ?? ''))
    .map((word) => word.replace(/^\.\//, ''));
  if (words.length === 0) {
    // Without a name, watching is for what needs no browser.
    if (mode === 'watch') return { projects: ['unit'] };
    return {
      problem:
        'Name a test file, for example: bun run test:one tests/verbs/approve.test.ts -t "keeps the order". Everything: bun run test.',
    };
  }
  const chosen = files.filter((file) =>
    words.some((word) => word.endsWith(`/${file}`) || file.includes(word)),
  );
  if (chosen.length === 0)
    return {
      problem: `No test file has ${words.map((word) => `“${word}”`).join(' or ')} in its path.`,
    };
  const ofBrowser = chosen.filter((file) => file.startsWith('tests/browser/')).length;
  return {
    projects: [
      ...(ofBrowser < chosen.length ? (['unit'] as const) : []),
      ...(ofBrowser > 0 ? (['browser'] as const) : []),
    ],
  };
}
