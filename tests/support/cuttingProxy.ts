import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Faults of a connection: cut after so many bytes of a request or of its answer, or open and never
 * answered.
 */
export type Fault = { at: (request: string) => boolean; times?: number } & (
  | { sent: number }
  | { answered: number }
  | { silent: true }
);

/** Opens a proxy to a local server that a test can cut. */
export async function cuttingProxy(target: string) {
  const { hostname, port } = new URL(target);
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let fault: Fault | undefined;
  let left = 0;
  let met = () => {};
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let up = Number.POSITIVE_INFINITY;
    let down = Number.POSITIVE_INFINITY;
    const cut = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', cut);
    }
    near.on('data', (data) => {
      const bytes = data as Buffer;
      const request = /^(?:GET|PUT|POST|DELETE|HEAD) \S+/.exec(
        bytes.toString('latin1', 0, 2000),
      )?.[0];
      if (request) {
        requests.push(request);
        [up, down] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
        if (fault?.at(request) && left > 0) {
          left--;
          met();
          if ('silent' in fault) return;
          if ('sent' in fault) up = fault.sent;
          else down = fault.answered;
        }
      }
      far.write(bytes.subarray(0, up));
      up -= bytes.length;
      if (up <= 0) cut();
    });
    far.on('data', (data) => {
      const bytes = data as Buffer;
      near.write(bytes.subarray(0, down), () => down <= 0 && cut());
      down -= bytes.length;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Sets the fault; resolves when it first occurs. */
    fail(next: Fault | undefined): Promise<void> {
      fault = next;
      left = next?.times ?? Number.POSITIVE_INFINITY;
      requests.length = 0;
      return new Promise((resolve) => {
        met = resolve;
      });
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
