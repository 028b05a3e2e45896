import { connect, type Socket } from 'node:net';
import type { Attack } from './attacks.ts';
import type { Market } from './market.ts';
import { addressOf } from './people.ts';
import { inWords, status } from './requests.ts';

type Line = { socket: Socket; status: number; changes: number; open: boolean };

/** Opens an event stream from an address; settles once the market sent something or closed it. */
function openLine(port: number, address: string): Promise<Line> {
  const socket = connect(port, '127.0.0.1');
  const line: Line = { socket, status: 0, changes: 0, open: true };
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => {
      line.open = false;
      resolve(line);
    });
    socket.on('connect', () =>
      socket.write(
        `GET /api/live HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-forwarded-for: ${address}\r\n\r\n`,
      ),
    );
    socket.on('data', (part) => {
      const text = part.toString('latin1');
      line.status ||= Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      if (text.includes('event: change')) line.changes++;
      resolve(line);
    });
  });
}

/** Opens streams fifty at a time, some hundred a second, as a crowd arrives. */
async function openLines(
  port: number,
  count: number,
  address: (n: number) => string,
): Promise<Line[]> {
  const lines: Line[] = [];
  while (lines.length < count) {
    const from = lines.length;
    lines.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - from) }, (_, n) =>
          openLine(port, address(from + n)),
        ),
      )),
    );
    await Bun.sleep(60);
  }
  return lines;
}

const counted = (lines: readonly Line[]) => {
  const by = new Map<string | number, number>();
  for (const { status } of lines)
    by.set(status || 'no answer', (by.get(status || 'no answer') ?? 0) + 1);
  return by;
};
const close = (lines: readonly Line[]) => {
  for (const { socket } of lines) socket.destroy();
};

/**
 * Milliseconds from a change's commit until every stream received it; undefined when some did not.
 */
async function toldAll(
  { url, seller, sql }: Market,
  lines: readonly Line[],
): Promise<number | undefined> {
  const { products } = (await (
    await fetch(`${url}/api/products/mine`, { headers: { cookie: seller } })
  ).json()) as { products: { id: string }[] };
  // Other attacks have used up this seller's hourly limit.
  await sql`delete from rate_limit`;
  const before = lines.map(({ changes }) => changes);
  const started = performance.now();
  for (const { id } of products.slice(0, 3))
    for (const verb of ['withdraw', 'relist'])
      await status(`${url}/api/products/${id}/${verb}`, {
        method: 'POST',
        headers: { cookie: seller },
      });
  while (performance.now() - started < 20_000) {
    if (lines.every(({ changes, open }, n) => !open || changes > (before[n] ?? 0)))
      return performance.now() - started;
    await Bun.sleep(20);
  }
  return undefined;
}

/** Connections that stay open: event streams, and requests that are never finished. */
export const lines: readonly Attack[] = [
  {
    name: 'lines: 1,500 open pages of one address',
    want: 2,
    settleMs: 1000,
    async run({ port }) {
      const own = await openLines(port, 1500, () => '10.200.0.1');
      const other = await openLines(port, 50, (n) => addressOf(300_000 + n));
      const by = counted(own);
      close([...own, ...other]);
      return {
        note: `${inWords(by)}; 50 of others: ${inWords(counted(other))}`,
        held: (by.get(200) ?? 0) <= 1000 && other.every((line) => line.status === 200),
      };
    },
  },
  {
    name: 'lines: 10,000 open pages of 5,000 addresses',
    want: 2,
    settleMs: 3000,
    async run(market) {
      const all = await openLines(market.port, 10_000, (n) => addressOf(400_000 + (n >> 1)));
      await Bun.sleep(5000);
      const took = await toldAll(market, all);
      const open = all.filter((line) => line.open && line.status === 200).length;
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
