import { connect, type Socket } from 'node:net';

/** An open page's event stream, on a bare socket: ten thousand cost the client almost nothing. */
export type Stream = {
  status: number;
  changes: number;
  open: boolean;
  onChange: (() => void) | undefined;
};

/** Opens one; settles once it has begun, was refused or is closed. */
function openStream(port: number, address: string): { socket: Socket; begun: Promise<Stream> } {
  const socket = connect(port, '127.0.0.1');
  const stream: Stream = { status: 0, changes: 0, open: true, onChange: undefined };
  const begun = new Promise<Stream>((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => {
      stream.open = false;
      resolve(stream);
    });
    socket.on('connect', () =>
      socket.write(
        `GET /api/live HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: text/event-stream\r\nx-forwarded-for: ${address}\r\n\r\n`,
      ),
    );
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      stream.status ||= Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      if (text.includes('event: change')) {
        stream.changes++;
        stream.onChange?.();
      }
      if (stream.status !== 200 || text.includes('retry:')) resolve(stream);
    });
  });
  return { socket, begun };
}

/**
 * Opens event streams, fifty at a time: a burst of a thousand would overflow the accept queue.
 * @param address of each one's page
 */
export async function openStreams(
  port: number,
  count: number,
  address: (n: number) => string = () => '192.0.2.1',
): Promise<{ streams: Stream[]; close(): void }> {
  const sockets: Socket[] = [];
  const streams: Stream[] = [];
  while (streams.length < count) {
    const from = streams.length;
    const fifty = Array.from({ length: Math.min(50, count - from) }, (_, n) =>
      openStream(port, address(from + n)),
    );
    sockets.push(...fifty.map(({ socket }) => socket));
    streams.push(...(await Promise.all(fifty.map(({ begun }) => begun))));
  }
  return {
    streams,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
