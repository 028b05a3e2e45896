import { $connection } from './stores.ts';

/**
 * Announced change: `slot:7`, `product:…`, `seller:…`, `settings:…`, on Connect `post:…`, or `all:`
 * after a gap.
 */
export type Change = {
  kind: 'slot' | 'product' | 'seller' | 'settings' | 'post' | 'all';
  id: string;
};

/** Delay that collects several changes into one request (product §4, §9). */
export const debounceMs = 1000;
/** Poll interval where events are blocked; an unchanged page costs a few bytes. */
export const pollMs = 60_000;
/** Time in the background after which the stream is closed. */
export const restMs = 60_000;
/** Jump of the clock that means the device slept: the stream may be dead without an error. */
const sleptMs = 45_000;
const watchMs = 15_000;
/** Failures in a row, without any opened stream, after which events count as blocked. */
const givesUpAfter = 3;
const [firstRetryMs, lastRetryMs] = [3000, 60_000];

type Options = {
  /** Receives every change at once. */
  onNews?: (change: Change) => void;
  /** Receives a burst of changes, a second after its first. */
  onChanges: (changes: Change[]) => void;
  /** Runs when a response did not open the stream: the session may have ended. */
  onRefused?: () => void;
  url?: string;
  /** Version of the page: the first opening returns the changes since. */
  since?: string | undefined;
};

const all: Change = { kind: 'all', id: '' };

function changeIn(event: Event): Change {
  const { data } = event as MessageEvent<string>;
  const colon = data.indexOf(':');
  return { kind: data.slice(0, colon) as Change['kind'], id: data.slice(colon + 1) };
}

/**
 * Delay before a refused stream is retried: doubling up to a minute, randomized so that pages do
 * not retry together.
 */
export const retryAfter = (failures: number, chance = Math.random()): number =>
  Math.min(firstRetryMs * 2 ** (failures - 1), lastRetryMs) * (0.5 + chance / 2);

/**
 * Follows the server's changes by server-sent events, or by polling where they are blocked. Closes
 * the stream in the background. Returns a function that stops it.
 */
export function openEventStream({
  onNews,
  onChanges,
  onRefused,
  url = '/api/live',
  since,
}: Options): () => void {
  const waiting: Change[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let source: EventSource | undefined;
  let failures = 0;
  let opened = false;
  let resting = false;
  let looked = Date.now();

  const tell = () => {
    timer = undefined;
    onChanges(waiting.splice(0));
  };
  const add = (change: Change) => {
    onNews?.(change);
    if (!waiting.some(({ kind, id }) => kind === change.kind && id === change.id))
      waiting.push(change);
    timer ??= setTimeout(tell, debounceMs);
  };
  const letGo = () => {
    clearTimeout(retry);
    clearInterval(poll);
    poll = undefined;
    source?.close();
    source = undefined;
  };
  const startPolling = () => {
    letGo();
    $connection.set('polling');
    poll = setInterval(() => document.hidden || onChanges([all]), pollMs);
  };
  const connect = () => {
    letGo();
    if (!('EventSource' in window)) return startPolling();
    const stream = new EventSource(since && !opened ? `${url}?since=${since}` : url);
    source = stream;
    stream.addEventListener('open', () => {
      // Changes while the stream was down were missed.
      if (opened) add(all);
      opened = true;
      failures = 0;
      $connection.set('live');
    });
    stream.addEventListener('error', () => {
      failures++;
      if (stream.readyState === EventSource.CLOSED) onRefused?.();
      if (!opened && failures >= givesUpAfter) return startPolling();
      $connection.set('reconnecting');
      // Browsers give up after some responses (a proxy's error page): reconnect ourselves.
      if (stream.readyState === EventSource.CLOSED)
        retry = setTimeout(connect, retryAfter(failures));
    });
    stream.addEventListener('change', (event) => add(changeIn(event)));
  };
  /** Reconnects and asks for missed changes; also retries events that were blocked. */
  const wake = () => {
    resting = false;
    failures = 0;
    looked = Date.now();
    // Otherwise the stream's own opening asks.
    if (!opened) add(all);
    connect();
  };
  const sleep = () => {
    resting = true;
    letGo();
    $connection.set('off');
  };
  const seen = () => {
    clearTimeout(rest);
    if (document.hidden) rest = setTimeout(sleep, restMs);
    else if (resting || Date.now() - looked > sleptMs) wake();
  };
  // Timers stop while a device sleeps: a gap reveals it.
  const watch = setInterval(() => {
    const gap = Date.now() - looked;
    looked = Date.now();
    if (gap > sleptMs && !document.hidden) wake();
  }, watchMs);
  // A page in the back-forward cache may hold no stream.
  const shown = (event: Event) => (event as PageTransitionEvent).persisted && wake();
  const listeners = [
    [document, 'visibilitychange', seen],
    [window, 'online', wake],
    [window, 'pagehide', sleep],
    [window, 'pageshow', shown],
  ] as const;

  connect();
  for (const [target, name, listener] of listeners) target.addEventListener(name, listener);
  return () => {
    letGo();
    clearTimeout(timer);
    clearTimeout(rest);
    clearInterval(watch);
    for (const [target, name, listener] of listeners) target.removeEventListener(name, listener);
    $connection.set('off');
  };
}
