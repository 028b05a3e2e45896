import { ApiError } from './api.ts';
import { storage } from './storage.ts';

/** A key that makes a repeated request the same one (product R34). Older phones and plain HTTP have no `randomUUID`. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/**
 * Sends a paid request under a key that this device keeps until an answer has come: whoever tries again after a lost one, on a page that was
 * loaded anew too, sends the same request and pays once.
 * @param name what the request is about
 */
export async function underKey<Answer>(
  name: string,
  send: (key: string) => Promise<Answer>,
): Promise<Answer> {
  const place = `marche54.key.${name}`;
  const key = storage.get(place) ?? newKey();
  storage.set(place, key);
  try {
    const answer = await send(key);
    storage.remove(place);
    return answer;
  } catch (error) {
    // Above 499, and at 0, nobody knows whether it was done.
    if (error instanceof ApiError && error.status >= 400 && error.status < 500)
      storage.remove(place);
    throw error;
  }
}
