import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait more than they work: begun last, they would run alone at the end. */
const longest =
  /http\/(slowupload|auth-takeover)|db\/embedded|site\/language|faults\/storm|machines\/|day\/|ops\/(fronts|runbook)/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * Run with `bun --bun node_modules/vitest/vitest.mjs run --project unit` (or `browser`). The pool is `threads` because the default
 * one crashes under Bun; one Postgres serves the whole run (tests/support/global.ts), one database each file.
 */
export default defineConfig({
  test: {
    pool: 'threads',
    // Tests wait for the database more than they work: more files at once than cores.
    maxWorkers: 4,
    // Files share what a worker has loaded: loading the product anew for each took a sixth of the run. A file leaves nothing behind.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    globalSetup: 'tests/support/global.ts',
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/browser/**', '**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        // With four browsers on two cores a page can be slower than any patience worth having: two more tries, which the report names.
        test: {
          name: 'browser',
          retry: 2,
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 150_000,
          hookTimeout: 180_000,
          // A second is what vitest waits by itself: less than a page takes while three others have the processors.
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
