import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Over ten seconds each, the longest first; begun last, they would run alone. */
const waiting = [
  'db/embedded',
  'dev/dev',
  'verbs/listings/properties',
  'verbs/sharecards/cards',
  'http/matrix',
  'http/auth-takeover',
  'verbs/connect/leaving',
  'bot/properties',
  'http/connections',
  'http/channels',
  'faults/schedulers',
];

/**
 * The long files of both projects take turns: those of `waiting` mostly wait for processes, those
 * of the browser need the processor.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) =>
      waiting.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    const first = sorted.filter((file) => place(file) >= 0).sort((a, b) => place(a) - place(b));
    const browser = sorted.filter(({ project }) => project.name === 'browser');
    const turns = browser.flatMap((file, order) => {
      const beside = first[order];
      return beside ? [beside, file] : [file];
    });
    const long = new Set([...turns, ...first]);
    return [...long, ...sorted.filter((file) => !long.has(file))];
  }
}

/**
 * Run with `bun --bun node_modules/vitest/vitest.mjs run --project unit` (`browser`, `proofs`). The
 * default pool crashes under Bun; one Postgres serves the run (tests/support/global.ts), one
 * database each file.
 */
export default defineConfig({
  test: {
    pool: 'threads',
    // More than cores: tests mostly wait for the database.
    maxWorkers: 4,
    // Saves a sixth of the run; files must leave nothing behind.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    globalSetup: 'tests/support/global.ts',
    reporters: ['default', './tests/support/reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/browser/**', 'tests/proofs/**', '**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        // Four browsers on two cores can outlast any timeout; the report names retries.
        test: {
          name: 'browser',
          retry: 2,
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 150_000,
          hookTimeout: 180_000,
          // The default of one second is too short under load.
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        extends: true,
        // `bun run proofs`
        test: {
          name: 'proofs',
          include: ['tests/proofs/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
