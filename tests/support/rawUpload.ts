import { connect, type Socket } from 'node:net';

/** Opens a raw request on its own connection, so that a test decides when each byte is sent. */
export function openUpload(port: number, head: Record<string, string>, path = '/api/uploads') {
  const socket: Socket = connect(port, '127.0.0.1');
  let heard = '';
  let open = true;
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      open = false;
      resolve();
    });
  });
  socket.on('data', (piece) => {
    heard += piece;
  });
  // A cut while writing emits an error; tests watch `closed`.
  socket.on('error', () => {});
  const lines = Object.entries({ host: 'market.test', 'x-file-name': 'etal.jpg', ...head }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return {
    /** Writes when the connection has drained; returns whether it is still open. */
    async write(piece: Uint8Array | string): Promise<boolean> {
      if (open && !socket.write(piece))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
      return open;
    },
    get heard() {
      return heard;
    },
    get open() {
      return open;
    },
    get status() {
      return Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0);
    },
    closed,
    end: () => socket.destroy(),
  };
}
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
