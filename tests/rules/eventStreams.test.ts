import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Ctx } from '../../api/core/context.ts';
import { createLoad } from '../../api/http/load.ts';
import { takePlace } from '../../api/live/places.ts';
import { source } from '../support/processes.ts';

const outcome = (take: () => unknown) => {
  try {
    take();
    return 'open';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('lines of all addresses together have an end, and one that closes makes room for any other', () => {
  const load = createLoad({ LOAD_LIMITS: 1 }, 4);
  expect(load.streams).toEqual({ perAddress: 1000, all: 3 });
  const from = (addressHash: string) =>
    ({ client: { addressHash }, services: { load } }) as unknown as Ctx;
  const leave = takePlace(from('a'));
  expect(['b', 'c'].map((address) => outcome(() => takePlace(from(address))))).toEqual([
    'open',
    'open',
  ]);
  expect(outcome(() => takePlace(from('d')))).toBe('unavailable');
  leave();
  leave();
  expect(['d', 'e'].map((address) => outcome(() => takePlace(from(address))))).toEqual([
    'open',
    'unavailable',
  ]);
});

test('a process that may open few files keeps a quarter of them from lines', () => {
  const said = `import { createServices } from '${source('api/services.ts')}';
    import { readEnv } from '${source('api/ops/env.ts')}';
    console.log(createServices(readEnv({}), 'x'.repeat(40)).load.streams.all);
    process.exit(0);`;
  const bun = process.versions.bun ? process.execPath : 'bun';
  const all = (limit: string) =>
    Number(
      execFileSync('sh', ['-c', `${limit} exec "$0" -e "$1"`, bun, said], { encoding: 'utf8' }),
    );
  expect(all('ulimit -n 2000 &&')).toBe(1500);
  expect(createLoad({ LOAD_LIMITS: 1 }, 100_000).streams.all).toBe(12_000);
});
