import type en from '../../locales/en/index.ts';
import type { Ctx } from '../core/context.ts';

type Words = (typeof en)['admin']['check'];
export type RuleName = keyof Words['rules'];
export type Mend = keyof Words['mends'];

/**
 * Something that holds of a sound market at every commit (decision 051). `wrong` is SQL that selects, as `id`, each thing that breaks it; `clock.now` is
 * the moment of the look. What SQL cannot say is a function, which is called inside the look's own transaction and answers the ids. Its sentence, and that of its
 * mend, are in `admin/check.json`.
 */
export type Rule = { name: RuleName; mend: Mend; wrong: string | ((tx: Ctx) => Promise<string[]>) };

/** A list of rules with one mend: a rule a line. */
export const rulesOf = (mend: Mend, rules: Partial<Record<RuleName, Rule['wrong']>>): Rule[] =>
  Object.entries(rules).map(([name, wrong]) => ({ name: name as RuleName, mend, wrong }));
