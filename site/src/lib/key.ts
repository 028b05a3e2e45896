import { ApiError } from './api.ts';
import { storage } from './storage.ts';

/** Creates an idempotency key (product R34). Old phones and plain HTTP have no `randomUUID`. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/**
 * Sends a paid request under a stored key, kept until an answer arrives: a retry, even on a
 * reloaded page, pays once.
 * @param name identifies what is paid for
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
    // At 0 and above 499 the outcome is unknown, so the key stays.
    if (error instanceof ApiError && error.status >= 400 && error.status < 500)
      storage.remove(place);
    throw error;
  }
}
