import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of seconds; begun last, they would run alone. */
const long = [
  'http/channels',
  'dev/dev',
  'verbs/slots/fill',
  'verbs/contact/newcomers',
  'verbs/listings/properties',
  'http/matrix',
  'http/sign-in-limits',
  'http/connections',
  'http/database-away',
  'verbs/products/can',
  'verbs/backup/backup',
  'bot/properties',
  'verbs/backup/bucket',
  'bot/transcripts',
  'db/embedded',
  'verbs/sharecards/cards',
  'verbs/search/market',
  'http/auth-takeover',
  'verbs/products/approve',
  'http/google',
  'http/phone',
  'bot/speech',
  'verbs/contact/newcomerLimits',
  'verbs/upkeep/cleanup',
  'faults/partners',
  'faults/schedulers',
  'http/stumble',
  'verbs/queue/tell',
  'db/creditfaults',
  'dev/installed',
  'bot/whatsapp-cloud',
  'bot/stop',
  'verbs/connect/leaving',
  'verbs/products/changes',
  'verbs/connect/connect',
  'http/credits',
  'verbs/check/clockJumps',
  'bot/telegram',
];

/** A worker that changes from one project to the other loads all modules again: one after the other. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification) => {
      if (project.name === 'browser') return -1;
      const place = long.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`));
      return place < 0 ? long.length : place;
    };
    return sorted.sort((a, b) => rank(a) - rank(b));
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
    sequence: { sequencer: ByProject },
    globalSetup: 'tests/support/global.ts',
    setupFiles: ['tests/support/seed.ts'],
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
