import { expect } from 'vitest';
import { type ErrorCode, Refusal } from '../../api/core/errors.ts';

/** Expects a verb to refuse with one code, and answers the refusal. Any other end, or any other error, fails with what really came. */
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

/** How several verbs at once ended: `kept` for each that answered, the code for each that refused; any other error is thrown. */
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
