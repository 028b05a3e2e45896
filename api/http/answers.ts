import { outageOf } from '../../db/client.ts';
import { Refusal } from '../shared/errors.ts';

/**
 * For a missing or late answer: `unavailable` for reads, `unconfirmed` for writes, which may have
 * happened.
 */
export const overdue = (method: string, cause?: unknown): Refusal =>
  new Refusal(method === 'GET' || method === 'HEAD' ? 'unavailable' : 'unconfirmed', {}, [], {
    cause,
  });

/** Turns an error into a refusal: 503 without a database, `unexpected` for a bug. */
export function refusalOf(error: unknown, method: string): Refusal {
  if (error instanceof Refusal) return error;
  const outage = outageOf(error);
  if (outage === 'cut') return overdue(method, error);
  return new Refusal(outage ? 'unavailable' : 'unexpected', {}, [], { cause: error });
}
