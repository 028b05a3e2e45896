import { defineConfig } from 'vitest/config';

/**
 * Run with `bun --bun node_modules/vitest/vitest.mjs run --project unit` (or `browser`). The pool is `threads` because the default
 * one crashes under Bun; one Postgres serves the whole run (tests/support/global.ts), one database each file.
 */
export default defineConfig({
  test: {
    pool: 'threads',
    // Tests wait for the database more than they work: more files at once than cores.
    maxWorkers: 4,
    // A busy machine: two more tries, which the report names, before a test counts as failed (docs/decisions/tests.md).
    retry: 2,
    globalSetup: 'tests/support/global.ts',
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['tests/**/*.test.ts'], exclude: ['tests/browser/**', '**/node_modules/**'], testTimeout: 20_000, hookTimeout: 30_000 },
      },
      {
        extends: true,
        test: { name: 'browser', include: ['tests/browser/**/*.test.ts'], testTimeout: 150_000, hookTimeout: 180_000 },
      },
    ],
  },
});
