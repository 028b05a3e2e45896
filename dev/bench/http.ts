import { connect as open, type Socket } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';

/** Headers of a phone in Douala: language and encoding are negotiated, nothing is cached. */
export const phoneHeaders = { 'accept-language': 'fr', 'accept-encoding': 'br, gzip' };

export type Received = { status: number; bytes: Uint8Array<ArrayBuffer>; headers: Headers };

/** An answer as it travelled, still compressed. */
export async function receive(
  url: string,
  headers: Record<string, string> = phoneHeaders,
): Promise<Received> {
  const response = await fetch(url, { headers, decompress: false });
  return {
    status: response.status,
    bytes: new Uint8Array(await response.arrayBuffer()),
    headers: response.headers,
  };
}

export const unpacked = ({ bytes, headers }: Received): string => {
  const encoding = headers.get('content-encoding');
  const plain =
    encoding === 'br'
      ? brotliDecompressSync(bytes)
      : encoding === 'gzip'
        ? Bun.gunzipSync(bytes)
        : bytes;
  return new TextDecoder().decode(plain);
};

/**
 * Fetches a page until it has its best compression, a moment after the first answer. Returns the
 * first and the last answer.
 */
export async function untilSettled(
  url: string,
  headers?: Record<string, string>,
  patienceMs = 3000,
): Promise<{ first: Received; last: Received }> {
  const first = await receive(url, headers);
  let last = first;
  for (
    const deadline = performance.now() + patienceMs;
    performance.now() < deadline && last.bytes.byteLength === first.bytes.byteLength;
  ) {
    await Bun.sleep(20);
    last = await receive(url, headers);
  }
  return { first, last };
}

/**
 * An open page's event stream, on a bare socket so that a thousand cost the client almost nothing.
 */
export type EventStream = { socket: Socket; onChange: (() => void) | undefined };

export async function openStreams(
  port: number,
  count: number,
): Promise<{ streams: EventStream[]; close(): void }> {
  const streams: EventStream[] = [];
  const openOne = () =>
    new Promise<void>((resolve, reject) => {
      const socket = open(port, '127.0.0.1');
      const stream: EventStream = { socket, onChange: undefined };
      let begun = false;
      socket.once('error', reject);
      socket.once('connect', () =>
        socket.write(
          'GET /api/live HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n',
        ),
      );
      socket.on('data', (chunk: Buffer) => {
        const text = chunk.toString('latin1');
        if (!begun && text.includes('retry:')) {
          begun = true;
          streams.push(stream);
          resolve();
        }
        if (text.includes('event: change')) stream.onChange?.();
      });
    });
  // Fifty at a time: a burst of a thousand would overflow the accept queue.
  for (let opened = 0; opened < count; opened += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - opened) }, openOne));
  return {
    streams,
    close() {
      for (const { socket } of streams) socket.destroy();
    },
  };
}
