import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { buildSite } from '../api/pages/build.ts';
import { findBrowser } from './support/chromium.ts';

/** `bun run test`: linter, types, a build and every test, ending with `N passed, N failed`. */
const root = new URL('..', import.meta.url).pathname;
const report = new URL('../.vitest/report.json', import.meta.url).pathname;
const totals = { passed: 0, failed: 0 };

function run(args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...env },
    });
    child.on('close', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });
}

async function check(name: string, work: () => Promise<number>): Promise<void> {
  const started = performance.now();
  const code = await work().catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  });
  totals[code === 0 ? 'passed' : 'failed']++;
  console.log(
    `${code === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
  );
}

let browser = '';
const checkCode = async () => {
  await check('house rules', () =>
    run(['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']),
  );
  await check('unused code', () => run(['node_modules/knip/bin/knip.js']));
  // Several checkers repeat each other's work: one takes two thirds of the processor time.
  await check('types', () =>
    run(['node_modules/ts7/bin/tsc', '-p', 'tsconfig.json', '--checkers', '1']),
  );
  await check('browser', async () => {
    browser = await findBrowser();
    return 0;
  });
};
// On one core, checking the pages takes as long as all the others together.
await Promise.all([
  check('types of pages', () =>
    run([
      '--bun',
      'node_modules/@astrojs/check/bin/astro-check.js',
      '--root',
      'site',
      // Only the pages: tsc checks the rest.
      '--tsconfig',
      'site/tsconfig.json',
      '--minimumFailingSeverity',
      'error',
    ]),
  ),
  checkCode(),
]);
// Must follow: it writes files that the check of the pages reads.
await check('build', async () => {
  await buildSite();
  return 0;
});

await rm(report, { force: true });
const projects = browser ? [] : ['--project', 'unit'];
const code = await run(
  [
    '--bun',
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { CHROMIUM: browser },
);
const result = await readFile(report, 'utf8').then(
  (text) =>
    JSON.parse(text) as {
      numPassedTests: number;
      numFailedTests: number;
      numFailedTestSuites: number;
    },
  () => undefined,
);
totals.passed += result?.numPassedTests ?? 0;
// A file that could not be loaded has no failed test, and has still failed.
totals.failed += result ? Math.max(result.numFailedTests, code === 0 ? 0 : 1) : 1;
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 ? 0 : 1);
