import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/**
 * A third language takes one folder and one line (decision 008): a copy of the repository gets one
 * and shows every page in it.
 */
const root = new URL('../..', import.meta.url).pathname;
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'marche54-language-')));
afterAll(() => rmSync(copy, { recursive: true, force: true }));
/** A fake language: English in brackets, under a code with English plural rules. */
const toy = 'de';
/** Words that people type, not copy: in brackets nobody's message would match. */
const ofPeople = ['intents.json', 'examples.json'];

function change(path: string, from: string, to: string): void {
  const text = readFileSync(join(copy, path), 'utf8');
  expect(text, path).toContain(from);
  writeFileSync(join(copy, path), text.replace(from, to));
}

const inBrackets = (node: unknown): unknown =>
  typeof node === 'string'
    ? `⟦${node}⟧`
    : Object.fromEntries(
        Object.entries(node as object).map(([key, value]) => [key, inBrackets(value)]),
      );

/** Runs a project tool in the copy; returns its last output, or throws with it. */
function run(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('bun', args, {
      cwd: copy,
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (said += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(said.slice(-1000))
        : reject(new Error(`${args.join(' ')}\n${said.slice(-6000)}`)),
    );
  });
}

test('a third language is a folder and a line: the copy is typed, is built, and shows every page', {
  timeout: 400_000,
  retry: 0,
}, async () => {
  chmodSync(copy, 0o755);
  for (const name of [
    'api',
    'bot',
    'bun.lock',
    'db',
    'docs',
    'jobs',
    'locales',
    'package.json',
    'site',
    'tests',
    'tsconfig.json',
    'vitest.config.ts',
  ])
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/\/site\/(dist|\.astro|node_modules)$/.test(path),
    });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  // The folder.
  cpSync(join(root, 'locales/fr'), join(copy, 'locales', toy), { recursive: true });
  for (const file of readdirSync(join(root, 'locales/en'), {
    recursive: true,
    encoding: 'utf8',
  }).filter((name) => name.endsWith('.json') && !ofPeople.includes(name)))
    writeFileSync(
      join(copy, 'locales', toy, file),
      JSON.stringify(inBrackets(JSON.parse(readFileSync(join(root, 'locales/en', file), 'utf8')))),
    );
  // The line.
  change('locales/languages.ts', "languages = ['en', 'fr']", `languages = ['en', 'fr', '${toy}']`);

  // The tests themselves assume two languages.
  change('tsconfig.json', '"tests", ', '');
  // On one thread it takes two thirds of the processor time, and other tests run beside it.
  await run('node_modules/ts7/bin/tsc', '-p', 'tsconfig.json', '--singleThreaded');
  await run('-e', "import { buildSite } from './api/pages/build.ts'; await buildSite();");
  const said = await run(
    '--bun',
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'browser',
    'tests/browser/pages.test.ts',
    '-t',
    `in ${toy}`,
  );
  expect(said).toMatch(/Tests\s+[345]\d passed/);
});
