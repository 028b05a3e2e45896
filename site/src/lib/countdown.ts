import { askTime, serverNow, timeIsKnown } from './clock.ts';

type CountdownState = 'calm' | 'warm' | 'urgent' | 'expired';
export type CountdownParts = {
  state: CountdownState;
  hours: string;
  minutes: string;
  seconds: string;
};

const hour = 3_600_000;
const two = (value: number) => String(value).padStart(2, '0');

/**
 * Splits the milliseconds left into figures and a state: warm below six hours, urgent below one.
 */
export function countdownParts(msLeft: number): CountdownParts {
  const seconds = Math.max(0, Math.ceil(msLeft / 1000));
  const state =
    seconds === 0 ? 'expired' : msLeft < hour ? 'urgent' : msLeft < 6 * hour ? 'warm' : 'calm';
  return {
    state,
    hours: two(Math.floor(seconds / 3600)),
    minutes: two(Math.floor(seconds / 60) % 60),
    seconds: two(seconds % 60),
  };
}

/** Encodes an end for `data-end`: seconds in base 36, which compress well in a long list. */
export const endMark = (end: string): string => Math.floor(Date.parse(end) / 1000).toString(36);

const endOf = (element: HTMLElement): number =>
  Number.parseInt(element.dataset.end ?? '', 36) * 1000;

/**
 * Runs one clock for every `.countdown` under `root`; returns its stop function. Updates changed
 * text of visible ones only, and pauses while the page is hidden. They follow the server's time;
 * none is over before it is known.
 */
export function runCountdowns(
  root: ParentNode,
  onExpired?: (element: HTMLElement) => void,
): () => void {
  const visible = new Set<HTMLElement>();
  const known = new Map<HTMLElement, number>();
  const told = new WeakSet<HTMLElement>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = false;

  const show = (element: HTMLElement) => {
    const parts = countdownParts(endOf(element) - serverNow());
    if (parts.state === 'expired' && !timeIsKnown()) return;
    const figures = [parts.hours, parts.minutes, parts.seconds];
    element.querySelectorAll('.countdown__clock b').forEach((figure, index) => {
      const text = figure.firstChild as Text | null;
      const value = figures[index] ?? '';
      if (text && text.data !== value) text.data = value;
    });
    if (element.dataset.state !== parts.state) {
      element.dataset.state = parts.state;
      element.closest('.stall')?.toggleAttribute('data-over', parts.state === 'expired');
    }
    // Once per clock and page, also if it had ended before it was first shown.
    if (parts.state !== 'expired' || told.has(element)) return;
    told.add(element);
    onExpired?.(element);
  };

  const seer =
    typeof IntersectionObserver === 'undefined'
      ? null
      : new IntersectionObserver(
          (entries) => {
            for (const { isIntersecting, target } of entries) {
              if (isIntersecting) {
                visible.add(target as HTMLElement);
                show(target as HTMLElement);
              } else visible.delete(target as HTMLElement);
            }
          },
          { rootMargin: '200px' },
        );

  const collect = () => {
    for (const element of known.keys()) {
      if (element.isConnected) continue;
      known.delete(element);
      visible.delete(element);
      seer?.unobserve(element);
    }
    for (const element of root.querySelectorAll<HTMLElement>('.countdown[data-end]')) {
      if (known.has(element)) continue;
      known.set(element, endOf(element));
      show(element);
      if (seer) seer.observe(element);
      else visible.add(element);
    }
  };

  const tick = () => {
    clearTimeout(timer);
    if (document.hidden) return;
    collect();
    if (!asked && known.size > 0) {
      asked = true;
      void askTime().then(tick);
    }
    // An end out of sight must be reported too: visible parts may depend on it.
    for (const [element, end] of known)
      if (visible.has(element) || (end <= serverNow() && !told.has(element))) show(element);
    timer = setTimeout(tick, 1000 - (serverNow() % 1000));
  };

  document.addEventListener('visibilitychange', tick);
  tick();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', tick);
    seer?.disconnect();
  };
}
