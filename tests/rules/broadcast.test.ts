import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBroadcast } from '../../api/live/broadcast.ts';
import type { Live, News } from '../../api/live/listener.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let listeners: ((news: News) => void)[] = [];
const live: Live = {
  subscribe(listener) {
    listeners = [listener];
    return () => {};
  },
  onResume: () => () => {},
  close: async () => {},
};
const news = (id: string | number) => {
  for (const listener of listeners) listener({ kind: 'product', id: String(id) });
};

/** Opens that many streams; returns a reader of what the first received since. */
function open(pages: number, onEnd?: () => void) {
  const broadcast = createBroadcast(live);
  const streams = Array.from({ length: pages }, () =>
    broadcast.open(undefined, onEnd ? { onEnd } : {}),
  );
  const reader = (streams[0] as ReadableStream<Uint8Array>).getReader();
  let told = '';
  let wakes = -1;
  const read = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      told += new TextDecoder().decode(value);
      wakes++;
    }
  })();
  const changes = async () => {
    await vi.advanceTimersByTimeAsync(0);
    return { wakes, heard: [...told.matchAll(/data: product:(\S+)/g)].map(([, id]) => id) };
  };
  return { broadcast, streams, read, changes };
}

test('a change reaches 50 pages at once and all others in groups of 50, every 50 ms', async () => {
  const { streams, broadcast } = open(120);
  const reached = streams.slice(1).map(() => false);
  for (const [n, stream] of streams.slice(1).entries()) {
    const reader = stream.getReader();
    await reader.read();
    void reader.read().then(() => {
      reached[n] = true;
    });
  }
  const count = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return reached.filter(Boolean).length;
  };
  news('one');
  // The first page of each market is read by `open`.
  expect([await count(0), await count(50), await count(50)]).toEqual([49, 99, 119]);
  broadcast.close();
});

test('changes during a round go out together after it, each once', async () => {
  const { changes, broadcast } = open(1000);
  for (let n = 0; n < 200; n++) {
    news(n % 3);
    await vi.advanceTimersByTimeAsync(5);
  }
  await vi.advanceTimersByTimeAsync(2000);
  const { wakes, heard } = await changes();
  // A round of a thousand pages takes 950 ms, and the changes last 1,000.
  expect([wakes, heard.length]).toEqual([3, 7]);
  expect(new Set(heard.slice(-3))).toEqual(new Set(['0', '1', '2']));
  broadcast.close();
});

test('a page that closes during a round stops nothing', async () => {
  const { changes, streams, broadcast } = open(120);
  news('one');
  await streams[100]?.cancel();
  await vi.advanceTimersByTimeAsync(200);
  news('two');
  expect(await changes()).toEqual({ wakes: 2, heard: ['one', 'two'] });
  broadcast.close();
});

test('a market with few open pages tells of each change at once', async () => {
  const { changes, broadcast } = open(20);
  for (const id of ['a', 'b', 'a']) news(id);
  expect(await changes()).toEqual({ wakes: 3, heard: ['a', 'b', 'a'] });
  broadcast.close();
});

test('a page that is gone, and each page of a market that closes, says so once', async () => {
  const onEnd = vi.fn();
  const { broadcast, streams, read } = open(3, onEnd);
  await streams[1]?.cancel();
  expect([onEnd.mock.calls.length, broadcast.listeners]).toEqual([1, 2]);
  broadcast.close();
  await read;
  expect([onEnd.mock.calls.length, broadcast.listeners]).toEqual([3, 0]);
});
