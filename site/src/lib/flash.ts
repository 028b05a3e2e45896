import { readJson, session } from './storage.ts';

export type Flash = { tone: 'success' | 'error'; title: string; text?: string };

const key = 'marche54.flash';
const isFlash = (value: unknown): value is Flash[] =>
  Array.isArray(value) &&
  value.every(
    (item) =>
      typeof item === 'object' &&
      item !== null &&
      'title' in item &&
      typeof item.title === 'string',
  );

export function leaveFlash(flash: Flash): void {
  session.set(key, JSON.stringify([...(readJson(session, key, isFlash) ?? []), flash]));
}

/** Returns the previous page's messages and removes them. */
export function takeFlashes(): Flash[] {
  const flashes = readJson(session, key, isFlash) ?? [];
  if (flashes.length > 0) session.remove(key);
  return flashes;
}
