import { outageOf } from '../../db/client.ts';
import { Refusal } from './errors.ts';

/** No answer, or none in time: a reader has lost nothing, a writer has to look. */
export const overdue = (method: string, cause?: unknown): Refusal =>
  new Refusal(method === 'GET' || method === 'HEAD' ? 'unavailable' : 'unconfirmed', {}, [], {
    cause,
  });

/** What is answered to an error: itself when it is a refusal, 503 when the database is away, `unexpected` for everything else. */
export function refusalOf(error: unknown, method: string): Refusal {
  if (error instanceof Refusal) return error;
  const outage = outageOf(error);
  if (outage === 'cut') return overdue(method, error);
  return new Refusal(outage ? 'unavailable' : 'unexpected', {}, [], { cause: error });
}
