import type { Victim } from './testbed.ts';

export type Outcome = {
  seed: number;
  kills: Record<Victim, number>;
  requests: number;
  acknowledged: number;
  /** Acknowledged writes, by the act's name. */
  of: Record<string, number>;
  /** Requests without an answer, or whose answer allows a retry. */
  cutOff: number;
  refusals: Record<string, number>;
  violations: string[];
  lost: string[];
};
/**
 * Promises by act: texts, or the last one by subject; and requests that may have been carried out
 * unanswered.
 */
export type Promises = Map<string, { texts: string[]; last: Map<string, string>; unheard: number }>;
