import type en from '../../locales/en/index.ts';
import type { Tx } from '../core/context.ts';

type Words = (typeof en)['admin']['check'];
export type RuleName = keyof Words['rules'];
export type Mend = keyof Words['mends'];

/**
 * A rule that holds at every commit (decision 018). `wrong` selects the `id` of each row that
 * breaks it (`clock.now` is the time), or is a function in the same transaction; its words are in
 * `admin/check.json`.
 */
export type Rule = { name: RuleName; mend: Mend; wrong: string | ((tx: Tx) => Promise<string[]>) };

export const rulesOf = (mend: Mend, rules: Partial<Record<RuleName, Rule['wrong']>>): Rule[] =>
  Object.entries(rules).map(([name, wrong]) => ({ name: name as RuleName, mend, wrong }));
