import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from './support/repository.ts';

/**
 * Code, tests and docs cite the pages of docs/product as `product §4` and `product R20`, and the pages
 * of docs/decisions by number: every citation must exist.
 */
const files = repositoryFiles.filter(
  (file) =>
    (/\.(?:tsx?|astro|css|md|sql|json)$/.test(file) || file === '.env.example') &&
    !/^db\/migrations\/meta\/|^tests\/citations\.test/.test(file),
);
const texts = new Map(files.map((file) => [file, textOf(file)]));
const found = (pointers: (text: string) => string[]) =>
  [...texts].flatMap(([file, text]) => pointers(text).map((pointer) => ({ file, pointer })));

const chapters = repositoryFiles.filter((file) => /^docs\/product\/\d\d-[\w-]+\.md$/.test(file));
const numbersIn = (pages: readonly string[], heading: RegExp): string[] =>
  pages.flatMap((page) => [...textOf(page).matchAll(heading)].map(([, number = '']) => number));
const sections = numbersIn(chapters, /^#+ (§\d+) /gm);
const rules = numbersIn(chapters, /^#+ (R\d+) /gm);
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

const exists = (pointer: string) => [...sections, ...rules].includes(pointer);

/** The numbers that a line of the index stands for: `R1-R3, R7` are R1, R2, R3 and R7. */
const spread = (list: string): string[] =>
  list.split(', ').flatMap((part) => {
    const [first = 0, last = first] = (part.match(/\d+/g) ?? []).map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => `${part[0]}${first + n}`);
  });

test('the pages of docs/product have sections 1 to 14 and rules, each once', () => {
  expect(sections).toEqual(Array.from({ length: 14 }, (_, n) => `§${n + 1}`));
  expect(rules).toEqual([...new Set(rules)]);
  expect(rules.length).toBeGreaterThan(45);
});

test('the index of docs/product names every page, with its numbers', () => {
  const lines = [
    ...textOf('docs/product/README.md').matchAll(/^\| ([§R][^|]+) \| \[[^\]]+\]\(([^)]+)\) \|$/gm),
  ];
  expect(lines.map(([, , page]) => `docs/product/${page}`)).toEqual(chapters);
  for (const [, list = '', page] of lines)
    expect(spread(list).sort(), page).toEqual(
      numbersIn([`docs/product/${page}`], /^#+ ([§R]\d+) /gm).sort(),
    );
});

test('a page of docs/product names only sections and rules that exist', () => {
  const named = chapters.flatMap((page) =>
    [...textOf(page).matchAll(/[§R]\d+\b/g)].map(([pointer]) => ({ page, pointer })),
  );
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(({ pointer }) => !exists(pointer))).toEqual([]);
});

test('decisions and those merged into them are numbered without a gap, each with its date, its three headings, and its line in the index', () => {
  const index = textOf('docs/decisions/README.md');
  const merged = [
    ...index.matchAll(/^\| (\d{3}) \| [^|[]+ \| In \[(\d{3})\]\(\2-[\w-]+\.md\)\. \|$/gm),
  ];
  const numbers = [...decisions, ...merged.map(([, number = '']) => number)].sort();
  expect(numbers).toEqual(numbers.map((_, n) => String(n + 1).padStart(3, '0')));
  for (const [, , into = ''] of merged) expect(decisions).toContain(into);
  for (const page of repositoryFiles.filter((file) => /^docs\/decisions\/\d/.test(file))) {
    const [, name = '', number = ''] = /([^/]*?(\d{3})[^/]*)$/.exec(page) ?? [];
    const text = textOf(page);
    expect(text, page).toMatch(new RegExp(`^# ${number} .+\n\n\\d{4}-\\d\\d-\\d\\d`));
    expect(text.match(/^## .+$/gm), page).toEqual(['## Context', '## Decision', '## Consequences']);
    expect(index, page).toMatch(
      new RegExp(`^\\| ${number} \\| \\[[^\\]]+\\]\\(${name}\\) \\| .+ \\|$`, 'm'),
    );
  }
});

test('every pointer to a section or a rule leads somewhere', () => {
  const pointers = found(rulesIn);
  expect(pointers.length).toBeGreaterThan(300);
  expect(pointers.filter(({ pointer }) => !exists(pointer))).toEqual([]);
});

test('every pointer to a decision leads to a page', () => {
  // A migration cannot change, so its citations may be of merged pages.
  const pointers = found(decisionsIn).filter(({ file }) => !file.startsWith('db/migrations/'));
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
  const isThere = (path: string) =>
    repositoryFiles.some((file) => file === path || file.startsWith(`${path}/`));
  expect(pointers.filter(({ pointer }) => !isThere(pointer))).toEqual([]);
});
