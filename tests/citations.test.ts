import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { expect, test } from 'vitest';

/** Code, tests and docs point to the rules in docs/product.md as `product §4` and `product R20`: every pointer leads somewhere. */
const root = new URL('..', import.meta.url).pathname;
const folders = ['api', 'bot', 'db', 'dev', 'docs', 'jobs', 'locales', 'site/src', 'site/adapter', 'tests'];
const sources = new Glob('**/*.{ts,tsx,astro,css,md,sql,json}');
const files = [
  ...folders.flatMap((folder) => [...sources.scanSync(`${root}${folder}`)].map((file) => `${folder}/${file}`)),
  ...['README.md', 'README.fr.md', 'CONTRIBUTING.md', 'SECURITY.md'],
].filter((file) => !file.startsWith('db/migrations/meta/'));
const textOf = (file: string) => readFileSync(`${root}${file}`, 'utf8');

const product = textOf('docs/product.md');
const headings = new Set([...product.matchAll(/^## §(\d+) /gm)].map(([, number]) => `§${number}`));
const rules = new Set([...product.matchAll(/^- \*\*R(\d+)\*\* /gm)].map(([, number]) => `R${number}`));

/** What a text points to: `product §4, §7` and `product R1-R3, R7`, across a line break of a comment too. */
const pointersIn = (text: string): string[] =>
  [...text.matchAll(/\bproduct((?:(?:,? and|,)?[\s*/]+[§R]\d+(?:-R\d+)?)+)/g)].flatMap(([, list = '']) => list.match(/[§R]\d+/g) ?? []);

test('product.md has its sections and rules, each once', () => {
  expect([...headings]).toEqual(Array.from({ length: 10 }, (_, n) => `§${n + 1}`));
  expect(product.match(/^- \*\*R\d+\*\* /gm)).toHaveLength(rules.size);
  expect(rules.size).toBeGreaterThan(30);
});

test('every pointer to a section or a rule leads somewhere', () => {
  const pointers = files.flatMap((file) => pointersIn(textOf(file)).map((pointer) => ({ file, pointer })));
  expect(pointers.length).toBeGreaterThan(300);
  expect(pointers.filter(({ pointer }) => !headings.has(pointer) && !rules.has(pointer))).toEqual([]);
});

test('nothing points to a page that is not in the repository', () => {
  const elsewhere = /(?:marketplace|connect-and-shell) §|\bdecisions? \d/;
  expect(files.filter((file) => file !== 'tests/citations.test.ts' && elsewhere.test(textOf(file)))).toEqual([]);
});

test('every page that a comment names exists', () => {
  const named = files.flatMap((file) => [...textOf(file).matchAll(/\bdocs\/[\w/-]+\.md/g)].map(([page]) => ({ file, page })));
  const missing = named.filter(({ page }) => {
    try {
      return textOf(page) === '';
    } catch {
      return true;
    }
  });
  expect(missing).toEqual([]);
});
