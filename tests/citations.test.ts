import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from './support/repository.ts';

/**
 * Code, tests and docs cite the rules in docs/product.md as `product §4` and `product R20`, and the
 * pages of docs/decisions by number: every citation must exist.
 */
const files = repositoryFiles.filter(
  (file) =>
    (/\.(?:tsx?|astro|css|md|sql|json)$/.test(file) || file === '.env.example') &&
    !/^db\/migrations\/meta\/|^tests\/citations\.test/.test(file),
);
const texts = new Map(files.map((file) => [file, textOf(file)]));
const found = (pointers: (text: string) => string[]) =>
  [...texts].flatMap(([file, text]) => pointers(text).map((pointer) => ({ file, pointer })));

const product = textOf('docs/product.md');
const headings = new Set([...product.matchAll(/^## §(\d+) /gm)].map(([, number]) => `§${number}`));
const rules = new Set(
  [...product.matchAll(/^- \*\*R(\d+)\*\* /gm)].map(([, number]) => `R${number}`),
);
const decisions = repositoryFiles.flatMap(
  (file) => /^docs\/decisions\/(\d+)-[\w-]+\.md$/.exec(file)?.[1] ?? [],
);

/**
 * A text's citations: `product §4, §7` and `product R1-R3, R7`, also across a comment's line break.
 */
const rulesIn = (text: string): string[] =>
  [...text.matchAll(/\bproduct((?:(?:,? and|,)?[\s*/]+[§R]\d+(?:-R\d+)?)+)/g)].flatMap(
    ([, list = '']) => list.match(/[§R]\d+/g) ?? [],
  );

/**
 * `decision 014`, `decisions 014 and 021`: any number after the word, so that one of another length
 * is found.
 */
const decisionsIn = (text: string): string[] =>
  [...text.matchAll(/\bdecisions?((?:(?:,? and|,)?[\s*/]+\d+\w*)+)/gi)].flatMap(
    ([, list = '']) => list.match(/\d\w*/g) ?? [],
  );

const pathsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w./-])docs\/[\w./-]*\w/g)].map(([path]) => path);

test('product.md has its sections and rules, each once', () => {
  expect([...headings]).toEqual(Array.from({ length: 13 }, (_, n) => `§${n + 1}`));
  expect(product.match(/^- \*\*R\d+\*\* /gm)).toHaveLength(rules.size);
  expect(rules.size).toBeGreaterThan(30);
});

test('decisions are numbered without a gap, each with its date, its three headings, and its line in the index', () => {
  expect(decisions).toEqual(decisions.map((_, n) => String(n + 1).padStart(3, '0')));
  const index = textOf('docs/decisions/README.md');
  for (const page of repositoryFiles.filter((file) => /^docs\/decisions\/\d/.test(file))) {
    const [, name = '', number = ''] = /([^/]*?(\d{3})[^/]*)$/.exec(page) ?? [];
    const text = textOf(page);
    expect(text, page).toMatch(new RegExp(`^# ${number} .+\n\n\\d{4}-\\d\\d-\\d\\d`));
    expect(text.match(/^## .+$/gm), page).toEqual(['## Context', '## Decision', '## Consequences']);
    expect(index, page).toMatch(
      new RegExp(`^\\| ${number} \\| \\[[^\\]]+\\]\\(${name}\\) \\| .+ \\| .+ \\|$`, 'm'),
    );
  }
});

test('every pointer to a section or a rule leads somewhere', () => {
  const pointers = found(rulesIn);
  expect(pointers.length).toBeGreaterThan(300);
  expect(pointers.filter(({ pointer }) => !headings.has(pointer) && !rules.has(pointer))).toEqual(
    [],
  );
});

test('every pointer to a decision leads to a page', () => {
  const pointers = found(decisionsIn);
  expect(pointers.length).toBeGreaterThan(60);
  expect(pointers.filter(({ pointer }) => !decisions.includes(pointer))).toEqual([]);
  expect(decisionsIn('see decision 999, and Decisions 014,\n * 12b and 3')).toEqual([
    '999',
    '014',
    '12b',
    '3',
  ]);
});

test('nothing points to a page that is not in the repository', () => {
  expect(found((text) => text.match(/(?:marketplace|connect-and-shell) §/g) ?? [])).toEqual([]);
});

test('every page and folder of docs that a text names exists', () => {
  const pointers = found(pathsIn);
  expect(pointers.length).toBeGreaterThan(20);
  const exists = (path: string) =>
    repositoryFiles.some((file) => file === path || file.startsWith(`${path}/`));
  expect(pointers.filter(({ pointer }) => !exists(pointer))).toEqual([]);
});
