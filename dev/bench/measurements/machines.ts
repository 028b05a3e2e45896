import { freePort } from '../../../tests/support/processes.ts';
import { phoneHeaders, untilSettled } from '../http.ts';
import { compared, notMeasured, type Result } from '../report.ts';
import type { Bench } from '../testbed.ts';
import { withoutWrk, wrk, wrkPath } from '../wrk.ts';

export const names = ['home requests, two processes'];
const rounds = 3;

/**
 * Requests per second of the stored home page: two processes on one port (SHARE_PORT: the kernel
 * distributes the connections) against one.
 */
export async function run(bench: Bench): Promise<Result[]> {
  const [name = ''] = names;
  if (!wrkPath) return [notMeasured(name, '/s', withoutWrk)];
  const perSecond: Record<1 | 2, number[]> = { 1: [], 2: [] };
  for (let round = 0; round < rounds; round++) {
    for (const count of [1, 2] as const) {
      bench.say(`${count} behind one port, round ${round + 1} of ${rounds}`);
      const port = await freePort();
      const processes = await Promise.all(
        Array.from({ length: count }, () =>
          bench.start({
            kind: 'market',
            target: bench.target,
            folder: bench.folder,
            strip: false,
            port,
          }),
        ),
      );
      const url = `http://127.0.0.1:${port}/`;
      // Each has its own store; a new connection may reach either.
      for (let ask = 0; ask < 8; ask++)
        await untilSettled(url, { ...phoneHeaders, connection: 'close' }, 500);
      await wrk({ url, headers: phoneHeaders, connections: 64, seconds: 1 });
      perSecond[count].push(
        (await wrk({ url, headers: phoneHeaders, connections: 64, seconds: 3 })).perSecond,
      );
      for (const one of processes) await one.stop();
    }
  }
  return [
    compared(
      name,
      '/s',
      perSecond[2],
      perSecond[1],
      undefined,
      `against one process; ${navigator.hardwareConcurrency} cores, of which wrk takes one`,
    ),
  ];
}
