import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These mostly wait; begun last, they would run alone. */
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
 * Run with `bun --bun node_modules/vitest/vitest.mjs run --project unit` (or `browser`). The
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
    ],
  },
});
