import { expect } from 'vitest';
import { type ErrorCode, Refusal } from '../../api/shared/errors.ts';

/** Expects a verb to refuse with this code and returns the refusal; shows any other outcome. */
export async function refused(work: Promise<unknown>, code: ErrorCode): Promise<Refusal> {
  const outcome = await work.then(
    (value) => ({ answered: value }),
    (error) => error,
  );
  if (!(outcome instanceof Refusal))
    throw new Error(
      `Expected the refusal ${code}, got ${outcome instanceof Error ? outcome.stack : JSON.stringify(outcome)}`,
      { cause: outcome },
    );
  expect(outcome.code).toBe(code);
  return outcome;
}

/** Outcomes of parallel verbs: `kept`, or the refusal's code; throws any other error. */
export function outcomesOf(settled: PromiseSettledResult<unknown>[]): string[] {
  return settled
    .map((result) => {
      if (result.status === 'fulfilled') return 'kept';
      if (result.reason instanceof Refusal) return result.reason.code;
      throw result.reason;
    })
    .sort();
}

export const outcomes = async (works: Promise<unknown>[]): Promise<string[]> =>
  outcomesOf(await Promise.allSettled(works));
