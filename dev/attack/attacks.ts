import { connect } from 'node:net';
import { slotCount } from '../../api/shared/slots.ts';
import { cloudDelivery, cloudMessage } from '../../tests/support/cloudMessages.ts';
import { bombPng, styleBomb } from '../../tests/support/photos.ts';
import type { Demo } from '../testbed/demo.ts';
import { toWhatsapp } from '../testbed/networks.ts';
import { addressOf, ask, newcomer, type Person } from '../testbed/people.ts';
import { openStreams, type Stream } from '../testbed/streams.ts';

/** An attack, measured while a buyer browses. */
export type Attack = {
  name: string;
  /**
   * Runs it, bounded in count and time. Returns a note, and whether the market kept its other
   * promises.
   */
  run(demo: Demo): Promise<{ note: string; held: boolean }>;
  /** Milliseconds to keep watching afterwards, until the market is as before. */
  settleMs?: number;
  /** Allowed slowdown of the buyer, as a multiple of a quiet moment; 3 if undefined. */
  want?: number;
};

type Outcomes = Map<string | number, number>;
/** Repeats an act with limited concurrency; returns how often each outcome came. */
async function repeat(
  times: number,
  atOnce: number,
  act: (n: number) => Promise<string | number>,
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map();
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const outcome = await act(next++).catch(() => 'no answer');
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return outcomes;
}

/** Formats outcomes: `202 × 300, 429 × 11700`. */
const inWords = (outcomes: Outcomes): string =>
  [...outcomes]
    .sort(([a], [b]) => String(a).localeCompare(String(b)))
    .map(([outcome, times]) => `${outcome} × ${times}`)
    .join(', ');

/** Sends a request, reads its answer to the end and returns the status. */
async function status(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return response.status;
}

const uploads = (
  name: string,
  times: number,
  body: () => Uint8Array<ArrayBuffer>,
  type: string,
): Attack => ({
  name,
  async run({ url, seller }) {
    const bytes = body();
    const headers = { 'content-type': type };
    const outcomes = await repeat(
      times,
      times,
      async () => (await ask(url, seller, '/api/uploads', { bytes, headers })).status,
    );
    return { note: inWords(outcomes), held: !outcomes.has(201) && !outcomes.has('no answer') };
  },
});

/** 5 MB that begin like a JPEG and are none. */
function junkPhoto(): Uint8Array<ArrayBuffer> {
  const junk = new Uint8Array(5 * 1024 * 1024 - 1);
  junk.set([0xff, 0xd8, 0xff, 0xe0]);
  return junk;
}

/** Reads that miss every cache, 64 at once. */
const burst = (name: string, address: (n: number) => string): Attack => ({
  name,
  want: 5,
  async run({ url }) {
    const reads = [
      (n: number) => `/stalls?ids=${1 + (n % 30)},${31 + (n % 24)}&x=${n}`,
      (n: number) => `/shop/11/details?x=${n}`,
      (n: number) => `/?x=${n}`,
      (n: number) => `/connect?search=van+${n}`,
      () => '/api/slots',
      (n: number) => `/api/connect/posts?search=driver+${n}`,
      (n: number) => `/market?q=phone+${n}`,
      (n: number) => `/nowhere/${n}`,
    ];
    const outcomes = await repeat(2400, 64, (n) =>
      status(`${url}${reads[n % reads.length]?.(n)}`, {
        headers: { 'x-forwarded-for': address(n) },
      }),
    );
    const failed = [...outcomes.keys()].some(
      (outcome) => outcome === 'no answer' || (Number(outcome) >= 500 && outcome !== 503),
    );
    return { note: inWords(outcomes), held: !failed };
  },
});

const counted = (streams: readonly Stream[]): Outcomes => {
  const by: Outcomes = new Map();
  for (const { status } of streams)
    by.set(status || 'no answer', (by.get(status || 'no answer') ?? 0) + 1);
  return by;
};

/** Milliseconds until every stream was told of a change; undefined when some were not. */
async function toldAll({ sql }: Demo, streams: readonly Stream[]): Promise<number | undefined> {
  const before = streams.map(({ changes }) => changes);
  await sql`update slots set end_time = end_time + interval '1 second' where id = 54`;
  const started = performance.now();
  while (performance.now() - started < 20_000) {
    if (streams.every(({ changes, open }, n) => !open || changes > (before[n] ?? 0)))
      return performance.now() - started;
    await Bun.sleep(20);
  }
  return undefined;
}

/** Requests that cost their sender little and the market much. */
export const attacks: readonly Attack[] = [
  uploads(
    'upload: drawing with 60,000 style rules',
    2,
    () => new Uint8Array(styleBomb(60_000)),
    'image/svg+xml',
  ),
  uploads(
    'upload: three pictures of 1 × 39,000,000',
    3,
    () => new Uint8Array(bombPng(1, 39_000_000)),
    'image/png',
  ),
  uploads('upload: fifty bodies of 5 MB at once', 50, junkPhoto, 'image/jpeg'),
  {
    name: 'load: 700 made-up lists of stalls',
    want: 5,
    async run({ url }) {
      const outcomes = await repeat(700, 8, (n) => {
        const ids = [...Array(slotCount).keys()]
          .map((id) => id + 1)
          .filter((id) => id === 1 + (n % slotCount) || (n >> (id % 10)) & 1);
        return status(`${url}/stalls?ids=${ids.join(',')}`);
      });
      return { note: inWords(outcomes), held: !outcomes.has('no answer') };
    },
  },
  burst('load: 2,400 uncached reads in a burst, of one address', () => '10.206.0.1'),
  burst('load: 2,400 uncached reads in a burst, of eight addresses', (n) =>
    addressOf(530_000 + (n % 8)),
  ),
  {
    name: 'load: 200 withdrawals and relistings before 50 open pages',
    async run(demo) {
      const { url, port, seller } = demo;
      const { body } = await ask<{ products: { id: string }[] }>(url, seller, '/api/products/mine');
      const { streams, close } = await openStreams(port, 50);
      const outcomes = await repeat(400, 1, async (n) => {
        const id = body.products[(n >> 1) % body.products.length]?.id;
        const path = `/api/products/${id}/${n % 2 ? 'relist' : 'withdraw'}`;
        return (await ask(url, seller, path, { method: 'POST' })).status;
      });
      const each = streams.reduce((sum, { changes }) => sum + changes, 0) / streams.length;
      close();
      return {
        note: `${inWords(outcomes)}; each page woken ${each.toFixed(0)} times`,
        held: each < 100,
      };
    },
  },
  {
    name: 'sign-in: 290 wrong passwords at once, while an owner elsewhere signs in',
    async run({ url, sellerSignIn }) {
      const signIn = async (person: Person, json: { email: string; password: string }) =>
        (await ask(url, person, '/api/auth/sign-in', { json })).status;
      const guesses = repeat(290, 290, (n) =>
        signIn(newcomer('10.205.0.1'), {
          email: `invented.${n}@example.org`,
          password: `a wrong guess ${n}`,
        }),
      );
      await Bun.sleep(150);
      const started = performance.now();
      const owner = await signIn(newcomer('192.0.2.252'), sellerSignIn);
      const ms = Math.round(performance.now() - started);
      return {
        note: `${inWords(await guesses)}; the owner: ${owner} after ${ms} ms`,
        held: owner === 200 && ms <= 1000,
      };
    },
  },
  {
    name: 'chats: 60 bodies of 3 MB, a third of them signed',
    async run({ url }) {
      const text = 'x'.repeat(2_900_000);
      const right = toWhatsapp(cloudDelivery([cloudMessage('237699003100', text)]).body);
      const wrong = { ...right, headers: { ...right.headers, 'x-hub-signature-256': 'sha256=0' } };
      const large = { ...right, body: `${right.body}${' '.repeat(400_000)}` };
      // Networks repeat a delivery that was refused.
      const untilTaken = async (n: number, tries = 0): Promise<number> => {
        const { path, headers, body } = [right, wrong, large][n % 3] ?? right;
        const outcome = await status(`${url}${path}`, { method: 'POST', headers, body });
        if (outcome !== 503 || tries === 50) return outcome;
        await Bun.sleep(200);
        return untilTaken(n, tries + 1);
      };
      const outcomes = await repeat(60, 12, (n) => untilTaken(n));
      return {
        note: inWords(outcomes),
        held: (outcomes.get(403) ?? 0) === 20 && (outcomes.get(413) ?? 0) === 20,
      };
    },
  },
  {
    name: 'lines: 1,500 open pages of one address',
    want: 2,
    settleMs: 1000,
    async run({ port }) {
      const own = await openStreams(port, 1500, () => '10.200.0.1');
      const other = await openStreams(port, 50, (n) => addressOf(300_000 + n));
      const by = counted(own.streams);
      own.close();
      other.close();
      return {
        note: `${inWords(by)}; 50 of others: ${inWords(counted(other.streams))}`,
        held: (by.get(200) ?? 0) <= 1000 && other.streams.every((stream) => stream.status === 200),
      };
    },
  },
  {
    name: 'lines: 10,000 open pages of 5,000 addresses',
    want: 2,
    settleMs: 3000,
    async run(demo) {
      const { streams, close } = await openStreams(demo.port, 10_000, (n) =>
        addressOf(400_000 + (n >> 1)),
      );
      await Bun.sleep(5000);
      const took = await toldAll(demo, streams);
      const open = streams.filter((stream) => stream.open && stream.status === 200).length;
      close();
      return {
        note: `${open} open; a change told to all of them ${took === undefined ? 'never' : `after ${Math.round(took)} ms`}`,
        held: open === 10_000 && took !== undefined,
      };
    },
  },
  {
    name: 'lines: 2,000 that send a letter of their headers every other second',
    want: 2,
    settleMs: 1000,
    async run({ port }) {
      const sockets = Array.from({ length: 2000 }, () => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: '),
        );
        return socket.on('error', () => {});
      });
      for (let second = 0; second < 20; second += 2) {
        await Bun.sleep(2000);
        for (const socket of sockets) if (!socket.destroyed) socket.write('x');
      }
      const open = sockets.filter(
        ({ destroyed, readyState }) => !destroyed && readyState === 'open',
      );
      for (const socket of sockets) socket.destroy();
      return { note: `${open.length} still open after 20 s`, held: open.length === 0 };
    },
  },
];
