import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { source } from '../support/processes.ts';
import { repositoryFiles, textOf } from '../support/repository.ts';

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

/** A fresh clone: all source files, uncommitted ones included, without packages. */
const clone = mkdtempSync(join(tmpdir(), 'marche54-clone-'));
for (const file of repositoryFiles.filter((name) => !/^(docs|site|tests)\/|^\.env$/.test(name)))
  cpSync(source(file), join(clone, file));
const programs = mkdtempSync(join(tmpdir(), 'marche54-programs-'));
symlinkSync(process.execPath, join(programs, 'bun'));
afterAll(() => {
  for (const folder of [clone, programs]) rmSync(folder, { recursive: true, force: true });
});
const packages = join(clone, 'node_modules');

/** Runs a script in the clone with piped output. */
function run(args: string[], { stdin = '', ...env }: Record<string, string> = {}) {
  const { NODE_ENV: _, PATH = '', ...own } = process.env;
  // `bun run` adds this tree's tools to PATH, and npx the folder that its own bun is in.
  const elsewhere = PATH.split(':').filter((folder) => !folder.endsWith('node_modules/.bin'));
  const all = { ...own, PATH: [programs, ...elsewhere].join(':'), ...env };
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, 'run', '--silent', ...args],
    { cwd: clone, env: all, stdin: Buffer.from(stdin) },
  );
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
}

test.each(Object.entries(scripts))('bun run %s installs first', (_, script) => {
  expect(script).toMatch(/^bun (install --frozen-lockfile|dev\/installed\.ts) && \S/);
});

test('production says what to do, and installs nothing', () => {
  const { code, out, err } = run(['lint'], { NODE_ENV: 'production' });
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('run "bun install --frozen-lockfile" first');
  expect(existsSync(packages)).toBe(false);
});

const format = { args: ['format', '--stdin-file-path=a.ts'], stdin: 'export   const a=1' };
const formatted = { code: 0, out: 'export const a = 1;\n', err: '' };

test('a script in a fresh clone runs, with its own input, output and exit code alone', {
  timeout: 120_000,
}, () => {
  expect(run(format.args, { stdin: format.stdin })).toEqual(formatted);
  const refused = run(['admin:remove']);
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toContain('Whose rights?');
});

test('an installed tree is left as it is, also in production', () => {
  const removed = join(packages, 'uqr');
  renameSync(removed, join(clone, 'uqr'));
  for (const NODE_ENV of ['production', 'development'])
    expect(run(format.args, { stdin: format.stdin, NODE_ENV })).toEqual(formatted);
  expect(existsSync(removed)).toBe(false);
});
