import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSite } from '../api/pages/build.ts';
import { choose } from './support/choose.ts';
import { findBrowser } from './support/chromium.ts';

/**
 * `bun run test:one <file…> [-t name]`: runs only these tests, without the linter and types of `bun
 * run test`. `bun run test:watch …` repeats them at each change. The site is built only for browser
 * tests and proofs, and only when it changed.
 */
const root = new URL('..', import.meta.url).pathname;
const [mode = 'run', ...given] = process.argv.slice(2);
const files = (await readdir(join(root, 'tests'), { recursive: true }))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `tests/${name}`);
const choice = choose(mode === 'watch' ? 'watch' : 'run', given, files);
if ('problem' in choice) {
  console.error(choice.problem);
  process.exit(1);
}

const env = { ...process.env };
if (choice.projects.some((name) => name !== 'unit')) await buildSite();
if (choice.projects.includes('browser')) env.CHROMIUM = await findBrowser();
const projects = choice.projects.flatMap((project) => ['--project', project]);
const child = spawn(
  process.execPath,
  ['--bun', 'node_modules/vitest/vitest.mjs', mode, ...projects, ...given],
  { cwd: root, stdio: 'inherit', env },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('close', (code) => process.exit(code ?? 1));
