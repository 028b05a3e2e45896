import { useSyncExternalStore } from 'react';

/** A countdown ticks every second (product §9). */
const tickMs = 1000;
const listeners = new Set<() => void>();
let ahead = 0;
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;

const tick = () => {
  now = Date.now() + ahead;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** Sets the page's clock by the server's: a phone's own may be hours off. Called with each answer that says what time it is. */
export function setClock(serverTime: string): void {
  ahead = Date.parse(serverTime) - Date.now();
  tick();
}

/** The server's time in milliseconds, as of the last tick. */
export const serverNow = (): number => now || Date.now() + ahead;

/**
 * What `read` makes of the time, second by second. One timer for the page, and a component is drawn anew only when the answer differs:
 * fifty-four countdowns in days and hours cost next to nothing.
 */
export function useClock<T extends string | number | boolean | null>(read: (now: number) => T): T {
  const snapshot = () => read(serverNow());
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
