import { afterAll, expect, test, vi } from 'vitest';
import { serve } from '../../api/httpServer.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { jpeg } from '../support/photos.ts';
import { openUpload, pause } from '../support/rawUpload.ts';

/** Seconds instead of the product's 60. Bun counts in steps of four and may end one step early. */
const timeout = 12;
const market = await testApp({ reception: { holdSeconds: timeout, silenceMs: 6_000 } });
const { seller } = await actors(market);
const server = serve({ app: market.app, hostname: '127.0.0.1', port: 0, idleSeconds: timeout });
afterAll(() => server.stop());

/** Only real time shows that the server's timeout does not end a steady upload. */
test('a photo that comes at 8 KB/s for longer than the server’s timeout arrives', {
  timeout: 60_000,
}, async () => {
  const seconds = timeout + 4;
  const small = await jpeg();
  const bytes = Buffer.concat([small, Buffer.alloc(seconds * 8192 - small.byteLength)]);
  const line = openUpload(server.port, {
    cookie: seller.jar.header(),
    'content-length': String(bytes.byteLength),
  });
  for (let at = 0; at < bytes.byteLength; at += 2048) {
    expect(await line.write(bytes.subarray(at, at + 2048))).toBe(true);
    await pause(250);
  }
  await vi.waitFor(() => expect(line.status).toBe(201), { timeout: 30_000, interval: 100 });
  line.end();
});
