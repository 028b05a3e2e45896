import { readdirSync, readFileSync } from 'node:fs';
import postcss, { type Declaration, type Rule } from 'postcss';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { islandRuntime, lostScript, wakeScript } from '../../site/adapter/wake.ts';

/**
 * The built site uses nothing that the browsers of `browserslist` (package.json) lack, except with a
 * fallback (decision 012).
 */
const dist = new URL('../../site/dist/', import.meta.url).pathname;
const assets = (kind: string): [name: string, text: string][] =>
  readdirSync(`${dist}client/_astro`)
    .filter((name) => name.endsWith(kind))
    .map((name) => [name, readFileSync(`${dist}client/_astro/${name}`, 'utf8')]);

const tooNew = {
  value:
    /\b(?:oklch|oklab|lch|lab|color|color-mix|light-dark|anchor|linear|calc-size)\(|\bsubgrid\b|\d[dsl]v(?:h|w|b|i|min|max)\b/,
  property:
    /^(?:aspect-ratio|translate|rotate|scale|inset|container(?:-.*)?|anchor-name|position-anchor)$/,
  selector: /:(?:is|where|popover-open|open|modal|user-invalid|user-valid)\b|:not\([^()]*,|&/,
};
/** Rules that old browsers may drop: only a look is lost. */
const mayBeMissing = new Set([
  '.picture',
  '.talk__theirs img',
  '.choice:has(:focus-visible)',
  '.drop .button:has(:focus-visible)',
  '.credits .table td:has(>div:empty)',
  '.table:has(.top) th',
  'html:has(.connect__bar)',
  'body:has(.connect__bar)>.notices',
  '.statement .table td:has(bdi)>div',
  '.statement .table__main>div:has(>a:last-child)',
  '.overview__figure:hover:has(a)',
  '.slot:not(.slot--free)+.slot--free:not(:has(+.slot--free))',
  'body:has(>.demo) [data-sonner-toaster]',
]);

function faultsOfStyle(css: string): string[] {
  const faults: string[] = [];
  const guarded = (node: Rule | Declaration): boolean => {
    for (let at: unknown = node.parent; at; at = (at as Rule).parent)
      if ((at as { name?: string }).name === 'supports') return true;
    return false;
  };
  const root = postcss.parse(css);
  root.walkAtRules(/^(?:container|layer|scope|starting-style|property)$/, ({ name }) => {
    faults.push(`@${name}`);
  });
  root.walkRules((rule) => {
    if (guarded(rule)) return;
    if (tooNew.selector.test(rule.selector)) faults.push(rule.selector);
    // An unknown one drops the whole list, so it stands alone.
    if (rule.selector.includes(':has(') && !mayBeMissing.has(rule.selector))
      faults.push(rule.selector);
  });
  root.walkDecls((one) => {
    const rule = one.parent as Rule;
    if (guarded(one) || mayBeMissing.has(rule.selector)) return;
    if (tooNew.property.test(one.prop) || tooNew.value.test(one.value))
      faults.push(`${one.prop}: ${one.value}`);
  });
  return faults;
}

/** Younger than the floor, and the oldest browser that misses each. */
const missing = new Set([
  ...['at', 'findLast', 'findLastIndex', 'toSorted', 'toReversed', 'toSpliced', 'isWellFormed'],
  ...['hasOwn', 'groupBy', 'fromAsync', 'canParse', 'structuredClone', 'withResolvers', 'any'],
  ...['requestSubmit', 'showPicker', 'checkVisibility', 'formatRange', 'WeakRef', 'Segmenter'],
  ...['ariaLabel', 'ariaCurrent', 'ariaBusy', 'ariaExpanded', 'ariaSelected', 'ariaAutoComplete'],
  ...['togglePopover', 'hidePopover', 'BroadcastChannel', 'ListFormat'],
]);

function faultsOfScript(name: string, text: string): string[] {
  const faults: string[] = [];
  const say = (node: ts.Node) => faults.push(node.getText().slice(0, 60));
  const look = (node: ts.Node): void => {
    if (
      ts.isPrivateIdentifier(node) ||
      ts.isClassStaticBlockDeclaration(node) ||
      (ts.isPropertyDeclaration(node) && ts.isClassElement(node)) ||
      (ts.isBinaryExpression(node) && /^(?:\?\?|\|\||&&)=$/.test(node.operatorToken.getText()))
    )
      say(node);
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || node.kind === 14)
      if (/\(\?<[=!]/.test(node.getText())) say(node);
    if (ts.isRegularExpressionLiteral(node) && /\/[a-z]*[dv][a-z]*$/.test(node.text)) say(node);
    if (
      ts.isPropertyAccessExpression(node) &&
      !node.questionDotToken &&
      missing.has(node.name.text) &&
      // Times are called `at` too.
      (node.name.text !== 'at' ||
        (ts.isCallExpression(node.parent) && node.parent.expression === node))
    )
      say(node);
    if (ts.isIdentifier(node) && node.text === 'structuredClone') say(node);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS));
  return faults;
}

describe('the floor of browsers', () => {
  test('is kept by every style', () => {
    const inlined = readFileSync(`${dist}server/entry.mjs`, 'utf8').matchAll(
      /"type":"inline","content":("(?:[^"\\]|\\.)*")/g,
    );
    const sheets: [string, string][] = [
      ...assets('.css'),
      ...[...inlined].map(([, text = '']): [string, string] => ['inlined', JSON.parse(text)]),
    ];
    expect(sheets.length).toBeGreaterThan(40);
    expect([
      ...new Set(
        sheets.flatMap(([name, css]) => faultsOfStyle(css).map((one) => `${name} ${one}`)),
      ),
    ]).toEqual([]);
  });

  test('is kept by every script', () => {
    const scripts: [string, string][] = [
      ...assets('.js').filter(([name]) => !islandRuntime.path.endsWith(name)),
      ['wake', wakeScript],
      ['lost', lostScript],
    ];
    expect(scripts.length).toBeGreaterThan(60);
    expect(
      scripts.flatMap(([name, text]) => faultsOfScript(name, text).map((one) => `${name} ${one}`)),
    ).toEqual([]);
  });

  test('is kept by the runtime of islands, but for exports that we do not have', () => {
    expect(faultsOfScript('island', islandRuntime.source)).toEqual([
      expect.stringContaining('Object.hasOwn'),
    ]);
  });

  test.each([
    'a{color:oklch(.5 .1 20)}',
    'a:is(b,c){top:0}',
    'a,b:has(c){top:0}',
    'a{aspect-ratio:1}',
    'a{height:100dvh}',
    '@layer x{a{top:0}}',
  ])('knows what is too new in %s', (css) => {
    expect(faultsOfStyle(css)).toHaveLength(1);
    expect(faultsOfStyle(`@supports (top:0){${css.startsWith('@') ? 'a{top:0}' : css}}`)).toEqual(
      [],
    );
  });

  test.each(['a.at(-1)', 'a??=1', 'class A{#b}', '/(?<=a)b/', 'structuredClone(a)', '/a/v'])(
    'knows what is too new in %s',
    (script) => {
      expect(faultsOfScript('x', script).length).toBeGreaterThan(0);
    },
  );
});
