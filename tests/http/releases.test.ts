import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { keepRelease } from '../../api/pages/keepRelease.ts';
import { testApp } from '../support/app.ts';

/** Scripts of the release before this one (docs/offline.md). */
const market = await testApp();
const release = (...names: string[]) =>
  new Map(names.map((name) => [`/_astro/${name}.js`, brotliCompressSync(`// ${name}`)]));
const start = (files: ReadonlyMap<string, Uint8Array>) => {
  market.clock.advance({ minutes: 1 });
  return keepRelease(market.job('keep-release'), files);
};
const get = async (name: string, headers = {}) => market.request(`/_astro/${name}.js`, { headers });
const statuses = async () =>
  Promise.all(['old', 'shared', 'new', 'newest'].map(async (name) => (await get(name)).status));

test('a page of the release before finds its scripts, one of an older release does not', async () => {
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  await start(release('old', 'shared'));
  await start(release('new', 'shared'));
  // Another machine starts the older one once more.
  await start(release('old', 'shared'));
  expect(await statuses()).toEqual([200, 200, 200, 404]);
  await start(release('new', 'shared'));
  await start(release('newest'));
  expect(await statuses()).toEqual([404, 200, 200, 200]);
  const plain = await get('new');
  expect(await plain.text()).toBe('// new');
  expect(plain.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect(plain.headers.get('cache-control')).toContain('immutable');
  const packed = await get('new', { 'accept-encoding': 'gzip, br' });
  expect(packed.headers.get('content-encoding')).toBe('br');
  expect(brotliDecompressSync(new Uint8Array(await packed.arrayBuffer())).toString()).toBe(
    '// new',
  );
  expect((await market.request('/_astro/%27.js')).status).toBe(404);
});
