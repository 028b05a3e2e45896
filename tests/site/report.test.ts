import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { reportError, watchFigures } from '../../site/src/lib/report.ts';

let observers: Map<string, (list: { getEntries(): object[] }) => void>;
let sent: { kind: string; message: string; page: string; stack?: string }[];
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });

beforeEach(() => {
  observers = new Map();
  sent = [];
  page.visibilityState = 'visible';
  class Observer {
    constructor(readonly heard: (list: { getEntries(): object[] }) => void) {}
    observe({ type, buffered }: { type: string; buffered: boolean }) {
      // Entries from before the call count too.
      if (buffered) observers.set(type, this.heard);
    }
  }
  vi.stubGlobal('PerformanceObserver', Observer);
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { origin: 'https://market.test', pathname: '/fr' });
  vi.stubGlobal('navigator', {
    sendBeacon: (_: string, body: Blob) => {
      body.text().then((text) => sent.push(JSON.parse(text)));
      return true;
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

const measure = (type: string, entry: object) =>
  observers.get(type)?.({ getEntries: () => [entry] });
const leave = async () => {
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  await new Promise((resolve) => setImmediate(resolve));
};

/** Each figure with its threshold (product §9), as browsers report it. */
const figures: [name: string, type: string, entry: (value: number) => object, threshold: number][] =
  [
    ['LCP', 'largest-contentful-paint', (startTime) => ({ startTime }), 2500],
    ['FID', 'first-input', (delay) => ({ startTime: 10, processingStart: 10 + delay }), 100],
    ['CLS', 'layout-shift', (value) => ({ value, hadRecentInput: false }), 0.1],
    ['TTFB', 'navigation', (responseStart) => ({ responseStart }), 800],
    ['api', 'resource', (duration) => ({ name: 'https://market.test/api/slots', duration }), 1000],
  ];

describe('the figures of a page', () => {
  test.each(figures)(
    '%s is reported beyond its threshold, once, when the page is left',
    async (name, type, entry, threshold) => {
      watchFigures();
      measure(type, entry(threshold));
      await leave();
      expect(sent).toEqual([]);
      watchFigures();
      measure(type, entry(threshold * 1.01));
      await leave();
      await leave();
      expect(sent).toHaveLength(1);
      expect(sent[0]).toMatchObject({
        kind: 'performance',
        page: 'https://market.test/fr',
        message: expect.stringMatching(new RegExp(`^${name} `)),
      });
    },
  );

  test('a shift that somebody caused is none, and what is no call of the API is not measured', async () => {
    watchFigures();
    measure('layout-shift', { value: 1, hadRecentInput: true });
    measure('resource', { name: 'https://market.test/media/x.avif', duration: 9000 });
    await leave();
    expect(sent).toEqual([]);
  });
});

test.each([
  'Failed to fetch',
  'NetworkError when attempting to fetch resource.',
  'Load failed',
  'ResizeObserver loop limit exceeded',
  'The network connection was lost.',
])('“%s” does not leave the browser', async (message) => {
  reportError(new TypeError(message));
  reportError(message);
  reportError(new Error('A bug'));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ kind: 'error', message: 'Error: A bug' });
});
