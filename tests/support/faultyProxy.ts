import { createServer, connect as reach, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/** Refused; accepted and never answered; cut after the answer's first bytes. */
export const faults = ['refuses', 'hangs', 'answers half'] as const;
type Fault = (typeof faults)[number];

/** Opens a breakable proxy to an external service. Call it at the top of a test file. */
export async function faultyProxy(port: number) {
  let fault: Fault | undefined;
  const open = new Set<Socket>();
  const relay = createServer((near) => {
    open.add(near);
    near.on('error', () => near.destroy());
    near.on('close', () => open.delete(near));
    if (fault === 'refuses') return near.destroy();
    if (fault === 'hangs') return near.resume();
    const far = reach(port, '127.0.0.1');
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far);
    far.on('data', (piece: Buffer) => {
      if (fault !== 'answers half') return near.write(piece);
      near.write(piece.subarray(0, 9));
      near.destroy();
    });
  });
  await new Promise<void>((ready) => relay.listen(0, '127.0.0.1', ready));
  const cut = () => {
    for (const end of open) end.destroy();
  };
  afterAll(() => {
    cut();
    relay.close();
  });
  return {
    port: (relay.address() as { port: number }).port,
    is(next: Fault | undefined) {
      fault = next;
      // Clients keep old connections open and would never notice.
      cut();
    },
  };
}
