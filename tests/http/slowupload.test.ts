import { afterAll, expect, test, vi } from 'vitest';
import { serve } from '../../api/serve.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { jpeg } from '../support/photos.ts';
import { openUpload, pause } from '../support/rawUpload.ts';

const market = await testApp();
const { seller } = await actors(market);
const server = serve({ app: market.app, hostname: '127.0.0.1', port: 0 });
afterAll(() => server.stop());

/**
 * Slow on purpose: the server's default timeout is a minute, and only real time shows that it does
 * not apply here.
 */
test('a photo that comes at 8 KB/s for 80 seconds arrives', { timeout: 150_000 }, async () => {
  const small = await jpeg();
  const bytes = Buffer.concat([small, Buffer.alloc(80 * 8192 - small.byteLength)]);
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
