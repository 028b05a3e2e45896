import { dirname, join } from 'node:path/posix';
import { expect, test } from 'vitest';
import { layers } from '../dev/layers.ts';
import { repositoryFiles, textOf } from './support/repository.ts';

/** An import, export from, `import()` or type `import()`, also over several lines. */
const specifiers =
  /^[ \t]*(?:import|export)\b[^'";]*?['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]\s*\)/gm;
const isCode = (file: string) => /\.(?:tsx?|astro|mjs)$/.test(file);
const code = repositoryFiles.filter(isCode);
const known = new Set(repositoryFiles);

type Arrow = { from: string; line: number; to: string };
const arrowsOf = (from: string, text = textOf(from)): Arrow[] =>
  [...text.matchAll(specifiers)].flatMap(({ 1: full, 2: lazy, index }) => {
    const path = join(dirname(from), (full ?? lazy ?? '').replace(/\?.*$/, ''));
    const to = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((file) =>
      known.has(file),
    );
    return to && isCode(to) ? [{ from, line: text.slice(0, index).split('\n').length, to }] : [];
  });

const places = layers.flatMap(({ modules }, layer) =>
  modules.map((module, order) => ({ module, layer, order, name: layers[layer]?.name })),
);
/** The most specific module that contains a file. */
const placeOf = (file: string) =>
  places
    .filter(({ module }) => file === module || file.startsWith(`${module}/`))
    .sort((a, b) => b.module.length - a.module.length)[0];

/** The fault of an import: neither of its module, nor of one before it, nor of a lower layer. */
function fault({ from, line, to }: Arrow): string | undefined {
  const [above, below] = [placeOf(from), placeOf(to)];
  if (!above || !below) return `${above ? to : from} is in no layer`;
  const isBefore = below.layer === above.layer && below.order < above.order;
  if (above.module === below.module || isBefore || below.layer < above.layer) return undefined;
  return `${from}:${line} (${above.name}) imports ${to} (${below.name})`;
}

/** Strongly connected groups of more than one node (Tarjan). */
function cycles(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const [order, lowest] = [new Map<string, number>(), new Map<string, number>()];
  const open: string[] = [];
  const found: string[][] = [];
  function visit(node: string): number {
    const at = order.size;
    order.set(node, at);
    lowest.set(node, at);
    open.push(node);
    for (const next of arrows.get(node) ?? []) {
      const low = order.has(next)
        ? open.includes(next)
          ? (order.get(next) ?? at)
          : at
        : visit(next);
      lowest.set(node, Math.min(lowest.get(node) ?? at, low));
    }
    if (lowest.get(node) === at) {
      const group = open.splice(open.indexOf(node));
      if (group.length > 1) found.push(group);
    }
    return lowest.get(node) ?? at;
  }
  for (const node of arrows.keys()) if (!order.has(node)) visit(node);
  return found;
}

const all = code.flatMap((file) => arrowsOf(file));

test('every import, types included, goes to its module, one before it or a lower layer', () => {
  expect(all.length).toBeGreaterThan(5000);
  expect(all.flatMap((arrow) => fault(arrow) ?? [])).toEqual([]);
});

test('no files import each other in a cycle, types included', () => {
  const graph = new Map(code.map((file) => [file, new Set<string>()]));
  for (const { from, to } of all) graph.get(from)?.add(to);
  expect(cycles(graph)).toEqual([]);
});

test('upward, sideways, lazy and type imports and cycles are found', () => {
  const seen = (from: string, text: string) =>
    arrowsOf(from, text).flatMap((arrow) => fault(arrow) ?? []);
  expect(
    seen(
      'api/listings/end.ts',
      "import { a } from '../core/context.ts';\nimport type {\n  B,\n} from '../products/rules.ts';\n",
    ),
  ).toEqual([
    'api/listings/end.ts:2 (Listings) imports api/products/rules.ts (Sellers and products)',
  ]);
  expect(seen('api/listings/end.ts', "export * from '../uploads/present.ts';")).toHaveLength(1);
  expect(seen('api/core/context.ts', "type A = import('../auth/auth.ts').Auth;")).toHaveLength(1);
  expect(
    cycles(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['c'])],
        ['c', new Set(['a', 'd'])],
        ['d', new Set<string>()],
      ]),
    ),
  ).toEqual([['a', 'b', 'c']]);
});

test('understanding a chat message needs no database and no answer', () => {
  const pure =
    /^(?:bot\/understanding|locales|api\/shared|db\/vocabularies|db\/slots|api\/search\/(?:fold|slips|synonyms)|api\/chats\/rules|api\/core\/chatMessages)\b/;
  const arrows = all.filter(({ from }) => from.startsWith('bot/understanding/'));
  expect(arrows.length).toBeGreaterThan(40);
  expect(arrows.filter(({ to }) => !pure.test(to))).toEqual([]);
  expect(pure.test('bot/answers/say.ts')).toBe(false);
});

test('no folder of the market’s own code holds more than 25 files', () => {
  const sizes = new Map<string, number>();
  for (const file of code.filter((name) => /^(?:api|bot|db|jobs)\//.test(name)))
    sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  expect(sizes.size).toBeGreaterThan(50);
  expect([...sizes].filter(([, size]) => size > 25)).toEqual([]);
});

test('docs/architecture.md shows the layers as they are', () => {
  const rows = [
    ...textOf('docs/architecture.md').matchAll(/^\| \d+ \| ([^|]+) \| ([^|]+) \|/gm),
  ].map(([, name = '', modules = '']) => ({
    name: name.trim(),
    modules: [...modules.matchAll(/`([^`]+)`/g)].map(([, module]) => module),
  }));
  expect(rows.reverse()).toEqual(layers);
});
