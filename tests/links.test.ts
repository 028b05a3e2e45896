import { dirname, join } from 'node:path';
import { Glob } from 'bun';
import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from './support/repository.ts';

/** Links, anchors, and files in code type on the project's pages must exist. */
const pages = repositoryFiles.filter(
  (file) => file.endsWith('.md') && !file.startsWith('patches/'),
);
const isThere = (path: string) =>
  repositoryFiles.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));

/** Anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The link leads to a file or folder of the repository, and its anchor to a heading there. */
function leads(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  return (
    (path === '' || isThere(target)) && (anchor === undefined || anchorsOf(target).includes(anchor))
  );
}

const prose = (page: string) => textOf(page).replaceAll(/^```[\s\S]*?^```/gm, '');
const linksOf = (page: string): string[] =>
  [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link));

/**
 * Files in code type, from the root or an implied folder (`ui/Keep.astro`). `<verb>` and `*` match
 * any name; a leading slash means an address, and other endings are no file of ours.
 */
const namedIn = (page: string): string[] =>
  [...textOf(page).matchAll(/`([^`]+)`/g)]
    .flatMap(([, code = '']) => code.split(/\s+/))
    .map((word) => word.replace(/[#(:].*$/, ''))
    .filter((word) =>
      /^[\w.*<>-]+(?:\/[\w.*<>-]+)*(?:\/|\.(?:tsx?|astro|css|json|md|sql|svg|patch|txt|webp))$/.test(
        word,
      ),
    );
const exists = (named: string): boolean => {
  const glob = new Glob(
    `{,**/}${named.replaceAll(/<\w+>/g, '*')}${named.endsWith('/') ? '**' : ''}`,
  );
  return repositoryFiles.some((file) => glob.match(file));
};

test('every link of a page, and its anchor, leads somewhere', () => {
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
  expect(links.length).toBeGreaterThan(60);
  expect(links.filter(({ page, link }) => !leads(page, link))).toEqual([]);
  expect(leads('docs/calls.md', 'nothing.md')).toBe(false);
  expect(leads('docs/calls.md', 'product/README.md#nothing')).toBe(false);
});

test('every file that a page names exists', () => {
  const named = pages.flatMap((page) => namedIn(page).map((name) => ({ page, name })));
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter(({ name }) => !exists(name))).toEqual([]);
  expect(['api/nothing.ts', 'approve.ts.md', 'nothing/'].filter(exists)).toEqual([]);
});

test('docs/commands.md has every script of package.json, and no other', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const listed = [
    ...textOf('docs/commands.md').matchAll(/^\| `[^`]*?bun (?:run )?([\w:-]+)[^`]*` \|/gm),
  ].map(([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(scripts).sort());
});

test('every threat of docs/threats.md names the tests that hold it, or says that there is none', () => {
  const rows = textOf('docs/threats.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  expect(rows.length).toBeGreaterThan(20);
  const held = (row: string) => {
    const cell = row.split('|').at(-2)?.trim() ?? '';
    const named = [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    return (
      cell === 'not tested' ||
      (named.length > 0 &&
        named.every((file) => /^tests\/.+\.test\.ts$/.test(file) && repositoryFiles.includes(file)))
    );
  };
  expect(rows.filter((row) => !held(row))).toEqual([]);
  expect(held('| a | b | `tests/nothing.test.ts` |')).toBe(false);
});
