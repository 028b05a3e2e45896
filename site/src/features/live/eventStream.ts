import { $connection } from './stores.ts';

/** A change as the server announces it: `slot:7`, `product:…`, `seller:…`, `settings:…`, on Connect `post:…`, or `all:` after a gap. */
export type Change = {
  kind: 'slot' | 'product' | 'seller' | 'settings' | 'post' | 'all';
  id: string;
};

/** Wait after a change before asking for what is new: several in a row are asked for once (product §4, §9). */
export const debounceMs = 1000;
/** Asking now and then where events do not come through; an unchanged page answers in a few bytes. */
export const pollMs = 60_000;
/** A page that was out of sight longer than this lets its stream go, and looks again at once when it is back. */
export const restMs = 60_000;
/** A clock that jumped further than this between two looks: the device slept, and the stream may be dead without knowing. */
const sleptMs = 45_000;
const watchMs = 15_000;
/** Failures in a row, without one opened stream, after which events count as blocked. */
const givesUpAfter = 3;
const [firstRetryMs, lastRetryMs] = [3000, 60_000];

type Options = {
  /** Called at once with every change as it comes. */
  onNews?: (change: Change) => void;
  /** Called once per burst of changes, a second after its first. */
  onChanges: (changes: Change[]) => void;
  /** Called when the server, or something on the way, answered without opening the stream: whose stream it was may be signed out. */
  onRefused?: () => void;
  url?: string;
  /** The version of the page as it was written: at the first opening the server answers with what changed since. */
  since?: string | undefined;
};

const all: Change = { kind: 'all', id: '' };

/** The wait before a stream that was refused is tried again: doubling, a minute at most, and never the same for two pages. */
export const retryAfter = (failures: number, chance = Math.random()): number =>
  Math.min(firstRetryMs * 2 ** (failures - 1), lastRetryMs) * (0.5 + chance / 2);

/**
 * Keeps the stream to the server open: server-sent events, which the browser takes up again by itself at the distance the server
 * names; where they are blocked, a question a minute. A page that rests in the background costs nobody anything. Answers how to end it.
 */
export function openEventStream({
  onNews,
  onChanges,
  onRefused,
  url = '/api/live',
  since,
}: Options): () => void {
  let waiting: Change[] = [];
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
    const changes = waiting;
    waiting = [];
    onChanges(changes);
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
    poll = setInterval(() => {
      if (!document.hidden) onChanges([all]);
    }, pollMs);
  };
  const connect = () => {
    letGo();
    if (!('EventSource' in window)) return startPolling();
    const stream = new EventSource(since && !opened ? `${url}?since=${since}` : url);
    source = stream;
    stream.addEventListener('open', () => {
      // Whatever happened while the stream was down was missed.
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
      // The browser gives up for good on some answers (a proxy's error page): then the wait is ours to choose.
      if (stream.readyState === EventSource.CLOSED)
        retry = setTimeout(connect, retryAfter(failures));
    });
    stream.addEventListener('change', (event) => {
      const { data } = event as MessageEvent<string>;
      const colon = data.indexOf(':');
      add({ kind: data.slice(0, colon) as Change['kind'], id: data.slice(colon + 1) });
    });
  };
  /** A new stream, and a look at what was missed; also another chance for events that were blocked before. */
  const wake = () => {
    resting = false;
    failures = 0;
    looked = Date.now();
    // The new stream's own opening looks again only where there was one before.
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
  // Timers stand still while a device sleeps: a gap between two looks is how a page learns of it.
  const watch = setInterval(() => {
    const gap = Date.now() - looked;
    looked = Date.now();
    if (gap > sleptMs && !document.hidden) wake();
  }, watchMs);
  // A page in the browser's back-forward cache may hold no stream.
  const shown = (event: PageTransitionEvent) => event.persisted && wake();

  connect();
  document.addEventListener('visibilitychange', seen);
  window.addEventListener('online', wake);
  window.addEventListener('pagehide', sleep);
  window.addEventListener('pageshow', shown);
  return () => {
    letGo();
    clearTimeout(timer);
    clearTimeout(rest);
    clearInterval(watch);
    document.removeEventListener('visibilitychange', seen);
    window.removeEventListener('online', wake);
    window.removeEventListener('pagehide', sleep);
    window.removeEventListener('pageshow', shown);
    $connection.set('off');
  };
}
