import { connect, type Socket } from 'node:net';
import type { Attack } from '../attack.ts';
import type { Market } from '../market.ts';
import { addressOf } from '../people.ts';
import { inWords, status } from '../requests.ts';

type Stream = { socket: Socket; status: number; changes: number; open: boolean };

/** Opens an event stream from an address; settles once the market sent something or closed it. */
function openStream(port: number, address: string): Promise<Stream> {
  const socket = connect(port, '127.0.0.1');
  const stream: Stream = { socket, status: 0, changes: 0, open: true };
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => {
      stream.open = false;
      resolve(stream);
    });
    socket.on('connect', () =>
      socket.write(
        `GET /api/live HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-forwarded-for: ${address}\r\n\r\n`,
      ),
    );
    socket.on('data', (part) => {
      const text = part.toString('latin1');
      stream.status ||= Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      if (text.includes('event: change')) stream.changes++;
      resolve(stream);
    });
  });
}

/** Opens streams fifty at a time, some hundred a second, as a crowd arrives. */
async function openStreams(
  port: number,
  count: number,
  address: (n: number) => string,
): Promise<Stream[]> {
  const streams: Stream[] = [];
  while (streams.length < count) {
    const from = streams.length;
    streams.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - from) }, (_, n) =>
          openStream(port, address(from + n)),
        ),
      )),
    );
    await Bun.sleep(60);
  }
  return streams;
}

const counted = (streams: readonly Stream[]) => {
  const by = new Map<string | number, number>();
  for (const { status } of streams)
    by.set(status || 'no answer', (by.get(status || 'no answer') ?? 0) + 1);
  return by;
};
const close = (streams: readonly Stream[]) => {
  for (const { socket } of streams) socket.destroy();
};

/**
 * Milliseconds from a change's commit until every stream received it; undefined when some did not.
 */
async function toldAll(
  { url, seller, sql }: Market,
  streams: readonly Stream[],
): Promise<number | undefined> {
  const { products } = (await (
    await fetch(`${url}/api/products/mine`, { headers: { cookie: seller } })
  ).json()) as { products: { id: string }[] };
  // Other attacks have used up this seller's hourly limit.
  await sql`delete from rate_limit`;
  const before = streams.map(({ changes }) => changes);
  const started = performance.now();
  for (const { id } of products.slice(0, 3))
    for (const verb of ['withdraw', 'relist'])
      await status(`${url}/api/products/${id}/${verb}`, {
        method: 'POST',
        headers: { cookie: seller },
      });
  while (performance.now() - started < 20_000) {
    if (streams.every(({ changes, open }, n) => !open || changes > (before[n] ?? 0)))
      return performance.now() - started;
    await Bun.sleep(20);
  }
  return undefined;
}

/** Connections that stay open: event streams, and requests that are never finished. */
export const streams: readonly Attack[] = [
  {
    name: 'lines: 1,500 open pages of one address',
    want: 2,
    settleMs: 1000,
    async run({ port }) {
      const own = await openStreams(port, 1500, () => '10.200.0.1');
      const other = await openStreams(port, 50, (n) => addressOf(300_000 + n));
      const by = counted(own);
      close([...own, ...other]);
      return {
        note: `${inWords(by)}; 50 of others: ${inWords(counted(other))}`,
        held: (by.get(200) ?? 0) <= 1000 && other.every((stream) => stream.status === 200),
      };
    },
  },
  {
    name: 'lines: 10,000 open pages of 5,000 addresses',
    want: 2,
    settleMs: 3000,
    async run(market) {
      const all = await openStreams(market.port, 10_000, (n) => addressOf(400_000 + (n >> 1)));
      await Bun.sleep(5000);
      const took = await toldAll(market, all);
      const open = all.filter((stream) => stream.open && stream.status === 200).length;
      close(all);
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
        (socket) => !socket.destroyed && socket.readyState === 'open',
      ).length;
      for (const socket of sockets) socket.destroy();
      return { note: `${open} still open after 20 s`, held: true };
    },
  },
];
