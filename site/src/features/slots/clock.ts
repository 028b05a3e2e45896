import { useSyncExternalStore } from 'react';

/** Countdown interval (product §9). */
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

/** Sets the page's clock from an API response: a phone's own may be hours off. */
export function setClock(serverTime: string): void {
  ahead = Date.parse(serverTime) - Date.now();
  tick();
}

/** Server time in milliseconds, as of the last tick. */
export const serverNow = (): number => now || Date.now() + ahead;

/**
 * Value computed from the time each second. One timer for the page, and a component renders only
 * when its value changes, so many countdowns cost little.
 */
export function useClock<T extends string | number | boolean | null>(read: (now: number) => T): T {
  const snapshot = () => read(serverNow());
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
