import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { buildSite } from '../api/pages/build.ts';
import { findBrowser } from './support/chromium.ts';
import { run, runVitest } from './support/vitest.ts';

/** `bun run test`: linter, types, a build and every test, ending with `N passed, N failed`. */
const root = new URL('..', import.meta.url).pathname;
/** Hash of the tree that a whole run found green. */
const green = `${root}.vitest/green`;
const whole = process.argv.length === 2;
if (whole) await rm(green, { force: true });
const tree = whole ? cleanTree() : undefined;
const totals = { passed: 0, failed: 0 };

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
    console.log(`Browser: ${browser}`);
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

const result = await runVitest(browser ? ['unit', 'browser'] : ['unit'], process.argv.slice(2), {
  CHROMIUM: browser,
});
totals.passed += result.passed;
totals.failed += result.failed;
for (const name of result.skipped) console.log(`Left out: ${name}`);
for (const name of result.repeated) console.log(`Repeated: ${name}`);
if (tree && totals.failed === 0 && cleanTree() === tree) await writeFile(green, `${tree}\n`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 ? 0 : 1);

/** Hash of the tree, where git is and nothing is changed or untracked. */
function cleanTree(): string | undefined {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD^{tree}') : undefined;
}
