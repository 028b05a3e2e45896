import { createServer, connect as reach, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/**
 * Opens a proxy before the market that a test can cut: connections break off, and none succeeds
 * until it is mended. Call it at the top of a test file; `to` sets the market's port.
 */
export async function openBreakableNetwork() {
  let target = 0;
  let broken = false;
  const open = new Set<Socket>();
  const server = createServer((phone) => {
    if (broken || target === 0) return phone.destroy();
    const market = reach(target, '127.0.0.1');
    for (const end of [phone, market]) {
      open.add(end);
      end.on('error', () => end.destroy());
      end.on('close', () => open.delete(end));
    }
    phone.pipe(market).pipe(phone);
    phone.on('close', () => market.destroy());
    market.on('close', () => phone.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The line has no port');
  const cut = () => {
    broken = true;
    for (const end of open) end.destroy();
  };
  afterAll(() => {
    cut();
    server.close();
  });
  return {
    url: `http://localhost:${address.port}`,
    to(port: number) {
      target = port;
    },
    cut,
    mend() {
      broken = false;
    },
  };
}
