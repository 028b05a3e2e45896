import postcss, { type AtRule, type Rule } from 'postcss';
import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from '../support/repository.ts';

/** High contrast (forced colours) takes grounds and shadows away, and a state with them. */
const state = /\[(?:aria-current|aria-selected|aria-pressed|data-chosen)/;
/** Seen without their ground: bold, underlined, or a line of their own. */
const kept = /^(?:outline|text-decoration|border(?:-bottom)?|font-weight)$/;

const isForced = (rule: Rule): boolean =>
  rule.parent?.type === 'atrule' && (rule.parent as AtRule).params.includes('forced-colors');
const namesOf = (rule: Rule) => rule.selectors.map((one) => one.replace(/:hover$/, ''));

function findings(file: string): string[] {
  const rules: Rule[] = [];
  postcss.parse(textOf(file)).walkRules((rule) => void rules.push(rule));
  const twins = new Set(rules.filter(isForced).flatMap(namesOf));
  return rules
    .filter(
      (rule) => !isForced(rule) && state.test(rule.selector) && !/:not\(\[/.test(rule.selector),
    )
    .filter((rule) => {
      const set = rule.nodes.flatMap((node) => (node.type === 'decl' ? [node.prop] : []));
      return (
        set.some((prop) => /^(?:background|box-shadow)/.test(prop)) &&
        !set.some((p) => kept.test(p))
      );
    })
    .flatMap(namesOf)
    .filter((name) => state.test(name) && !twins.has(name))
    .map((name) => `${file}: ${name}`);
}

test('a state that is only a ground or a shadow has a line or a ground of its own in high contrast', () => {
  const sheets = repositoryFiles.filter((file) => /^site\/src\/.*\.css$/.test(file));
  expect(sheets.length).toBeGreaterThan(50);
  expect(sheets.flatMap(findings)).toEqual([]);
});
