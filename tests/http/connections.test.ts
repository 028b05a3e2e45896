import { afterAll, expect, test, vi } from 'vitest';
import { serve } from '../../api/httpServer.ts';
import { schema } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import * as photos from '../support/photos.ts';
import { openUpload, pause } from '../support/rawUpload.ts';

// The market's rules in less time: two seconds of silence, and 2000 bytes per three seconds.
const market = await testApp({ reception: { silenceMs: 2000, windowMs: 3000, windowBytes: 2000 } });
const { seller } = await actors(market);
const server = serve({ app: market.app, hostname: '127.0.0.1', port: 0 });
afterAll(async () => {
  // Work of cut connections ends before the database is dropped.
  await vi.waitFor(() => expect(market.services.reception.held).toBe(0), { timeout: 20_000 });
  await server.stop();
});

const cookie = seller.jar.header();
const small = await photos.jpeg();
const padded = (size: number) => Buffer.concat([small, Buffer.alloc(size - small.byteLength)]);
const patience = { timeout: 15_000, interval: 50 };

test('a line that falls silent is answered and closed', async () => {
  const line = openUpload(server.port, { cookie, 'content-length': '5000000' });
  await line.write(padded(50_000));
  await line.closed;
  expect(line.status).toBe(408);
  expect(line.heard).toContain('uploads.tooSlow');
  expect(market.services.reception.held).toBe(0);
});

test('a line that never says a word is closed too', async () => {
  const line = openUpload(server.port, { cookie, 'content-length': '5000000' });
  await line.closed;
  expect(line.status).toBe(408);
});

test('a line that trickles, a byte before each silence is over, is closed', async () => {
  const line = openUpload(server.port, { cookie, 'content-length': '5000000' });
  while (await line.write('x')) await pause(100);
  expect(line.status).toBe(408);
  expect(market.services.reception.held).toBe(0);
});

test('a line that is slow and goes on arrives', async () => {
  const bytes = padded(12_000);
  const line = openUpload(server.port, { cookie, 'content-length': String(bytes.byteLength) });
  for (let at = 0; at < bytes.byteLength; at += 600) {
    await line.write(bytes.subarray(at, at + 600));
    await pause(100);
  }
  await vi.waitFor(() => expect(line.status).toBe(201), patience);
  line.end();
});

test('a line that goes away in the middle leaves nothing behind, and its place is free', async () => {
  for (let n = 0; n < 4; n++) {
    const line = openUpload(server.port, { cookie, 'content-length': '5000000' });
    await line.write(padded(50_000));
    await vi.waitFor(() => expect(market.services.reception.held).toBeGreaterThan(0), patience);
    line.end();
    await vi.waitFor(() => expect(market.services.reception.held).toBe(0), patience);
  }
  expect(market.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a body in chunks that does not end is cut soon after 5 MB', async () => {
  const line = openUpload(server.port, { cookie, 'transfer-encoding': 'chunked' });
  const piece = Buffer.concat([
    Buffer.from('10000\r\n'),
    Buffer.alloc(65_536),
    Buffer.from('\r\n'),
  ]);
  while (await line.write(piece)) if (line.status) await pause(50);
  expect(line.status).toBe(413);
  expect(market.services.reception.held).toBe(0);
});

test('what follows a body of the length that it named is no part of the photo: the line is closed', async () => {
  const line = openUpload(server.port, { cookie, 'content-length': String(small.byteLength) });
  await line.write(padded(200_000));
  await line.closed;
  await vi.waitFor(() => expect(market.services.reception.held).toBe(0), patience);
  const rows = await market.db.select().from(schema.uploads);
  for (const { bytes } of rows) expect(bytes).toBeLessThan(10_000);
});
