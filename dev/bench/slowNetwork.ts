import { createSecureServer } from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { onEnd } from '../testbed/program.ts';

/**
 * A connection's pace: half a round trip of delay each way, and one rate for all connections
 * together.
 */
export type Pace = { roundTripMs: number; bytesPerMs: number };

const packet = 1400;

/** One direction, shared by all connections like a phone's radio: packets leave one by one. */
function lane({ roundTripMs, bytesPerMs }: Pace): (bytes: number, arrive: () => void) => void {
  let free = 0;
  return (bytes, arrive) => {
    const now = performance.now();
    free = Math.max(now, free) + bytes / bytesPerMs;
    setTimeout(arrive, free - now + roundTripMs / 2);
  };
}

function relay(
  from: Socket,
  to: Socket,
  send: ReturnType<typeof lane>,
  held: Promise<unknown>,
): void {
  from.on('data', async (chunk: Buffer) => {
    await held;
    for (let at = 0; at < chunk.length; at += packet) {
      const part = chunk.subarray(at, at + packet);
      send(part.length, () => to.writable && to.write(part));
    }
  });
  from.on('close', () => send(0, () => to.destroy()));
  from.on('error', () => to.destroy());
}

/** A self-signed certificate; throws without `openssl`. */
async function certificate(folder: string): Promise<{ key: string; cert: string }> {
  const [key, cert] = [join(folder, 'line.key'), join(folder, 'line.crt')];
  await Bun.$`openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout ${key} -out ${cert}`.quiet();
  return { key: await Bun.file(key).text(), cert: await Bun.file(cert).text() };
}

/**
 * Puts a slow connection before a server: HTTP/2 over TLS, as a market's proxy speaks it, with
 * delayed bytes. Unlike the inspector's throttling it also delays connections and handshakes,
 * without root. TCP slow start is left out: a page's first answer fits into the initial window.
 * @param folder a place for its certificate
 * @returns the near end's address
 */
export async function slowNetwork(target: string, pace: Pace, folder: string): Promise<string> {
  const far = createSecureServer(await certificate(folder), async (request, response) => {
    const { ':method': method = 'GET', ':path': path = '/' } = request.headers;
    const headers = Object.entries(request.headers).filter(
      ([name, value]) => !name.startsWith(':') && typeof value === 'string',
    ) as [string, string][];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    try {
      const answer = await fetch(target + path, {
        method,
        headers,
        body,
        redirect: 'manual',
        decompress: false,
        signal: gone.signal,
      });
      const sent = [...answer.headers].filter(
        ([name]) => !['connection', 'keep-alive', 'transfer-encoding'].includes(name),
      );
      response.writeHead(answer.status, Object.fromEntries(sent));
      if (answer.body) for await (const chunk of answer.body) response.write(chunk);
      response.end();
    } catch {
      // The page or the server has gone, and the event stream with it.
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve));
  const { port } = far.address() as { port: number };
  const [up, down] = [lane(pace), lane(pace)];
  const sockets = new Set<Socket>();
  const near = createServer({ noDelay: true }, (client) => {
    const server = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, server])
      sockets.add(socket.on('close', () => sockets.delete(socket)));
    // The local connection is already open; over the slow one that takes a round trip.
    relay(client, server, up, Bun.sleep(pace.roundTripMs));
    relay(server, client, down, Promise.resolve());
  });
  await new Promise<void>((resolve) => near.listen(0, '127.0.0.1', resolve));
  onEnd(() => {
    for (const socket of sockets) socket.destroy();
    near.close();
    far.close();
  });
  return `https://localhost:${(near.address() as { port: number }).port}`;
}
