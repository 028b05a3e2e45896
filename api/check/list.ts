import { fileRules, photoRules } from './files.ts';
import { guardRules, schemaRules, sequenceRules } from './guards.ts';
import { connectRules, creditRules } from './ledger.ts';
import {
  feeRules,
  figureRules,
  listingRules,
  placeRules,
  queueLogRules,
  queueRules,
  searchRules,
} from './market.ts';
import { messageRules, peopleRules, settingRules } from './people.ts';
import type { Rule } from './rule.ts';

/** In the order of the report; the first decides whether the others can be evaluated. */
export const rowRules: readonly Rule[] = [
  ...schemaRules,
  ...guardRules,
  ...sequenceRules,
  ...placeRules,
  ...queueRules,
  ...queueLogRules,
  ...listingRules,
  ...searchRules,
  ...feeRules,
  ...figureRules,
  ...photoRules,
  ...peopleRules,
  ...messageRules,
  ...settingRules,
  ...creditRules,
  ...connectRules,
];

export const allRules: readonly Rule[] = [...rowRules, ...fileRules];
