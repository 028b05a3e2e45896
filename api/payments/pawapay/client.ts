import type * as z from 'zod/mini';
import { publicKeys } from './protocol.ts';

/** A question waits no longer than the lease of its purchase. */
const timeoutMs = 10_000;
const [minute, hour] = [60_000, 3_600_000];

type Answer = { status: number; json: unknown };

/** Calls of the API at a base, with the account's token. */
export function createClient(base: string, token: string) {
  const send = async (path: string, body?: object): Promise<Answer> => {
    const response = await fetch(base + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const json: unknown = await response.json().catch(() => undefined);
    return { status: response.status, json };
  };
  /** Throws on any answer that is not of this shape: the payment stays as it is. */
  const read = <T extends z.ZodMiniType>(schema: T, answer: Answer) => {
    const parsed = schema.safeParse(answer.json);
    if (answer.status !== 200 || !parsed.success)
      throw new Error(`pawaPay answered with ${answer.status}`);
    return parsed.data as z.output<T>;
  };

  let keys: { at: number; pems: ReadonlyMap<string, string> } | undefined;
  /** Keys are read again once an hour, or for an unknown one once a minute. */
  const keyOf = async (id: string): Promise<string | undefined> => {
    const age = Date.now() - (keys?.at ?? 0);
    if (!keys || age > hour || (!keys.pems.has(id) && age > minute)) {
      const answer = read(publicKeys, await send('/v2/public-key/http'));
      keys = { at: Date.now(), pems: new Map(answer.map((one) => [one.id, one.key])) };
    }
    return keys.pems.get(id);
  };

  return { send, read, keyOf };
}
