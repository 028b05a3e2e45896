/** Arguments that `bun run test:one` and `test:watch` pass to vitest, or the problem to print. */
export type Choice = { projects: ('unit' | 'browser' | 'proofs')[] } | { problem: string };

const withValue = ['-t', '--testNamePattern'];

/**
 * Chooses the projects that the given words need; only browser tests wait for a build.
 * @param files every test file, as vitest matches words against them: `tests/verbs/products/approve.test.ts`
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
    // Watching without a name runs only tests that need no browser.
    if (mode === 'watch') return { projects: ['unit'] };
    return {
      problem:
        'Name a test file, for example: bun run test:one tests/verbs/products/approve.test.ts -t "keeps the order". Everything: bun run test.',
    };
  }
  const chosen = files.filter((file) =>
    words.some((word) => word.endsWith(`/${file}`) || file.includes(word)),
  );
  if (chosen.length === 0)
    return {
      problem: `No test file has ${words.map((word) => `“${word}”`).join(' or ')} in its path.`,
    };
  const projectOf = (file: string) =>
    (['browser', 'proofs'] as const).find((name) => file.startsWith(`tests/${name}/`)) ?? 'unit';
  return { projects: [...new Set(chosen.map(projectOf))].sort().reverse() };
}
