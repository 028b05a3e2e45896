import { join } from 'node:path';
import {
  compared,
  notMeasured,
  type Result,
  ratioAtLeast,
  ratioAtMost,
} from '../../testbed/report.ts';
import { phoneHeaders, untilSettled } from '../http.ts';
import type { Bench, Child } from '../testbed.ts';
import { type Loaded, steadily, withoutWrk, wrk, wrkPath } from '../wrk.ts';

export const names = ['home requests', 'home p99 at 500/s'];
const rounds = 5;
const pacedConnections = 50;

/** A bare server with the bytes and headers that the market just sent for the home page. */
export async function bareCopy(bench: Bench, market: Child): Promise<Child> {
  const { last } = await untilSettled(`${market.url}/`);
  const file = join(bench.folder, `home-${market.port}.bin`);
  await Bun.write(file, last.bytes);
  const ownToServer = new Set([
    'date',
    'content-length',
    'connection',
    'keep-alive',
    'transfer-encoding',
  ]);
  return bench.start({
    kind: 'bare',
    file,
    headers: Object.fromEntries([...last.headers].filter(([name]) => !ownToServer.has(name))),
  });
}

/**
 * Requests per second of the home page, fully negotiated, and its slowest answers at an easy pace,
 * against a bare Bun.serve.
 */
export async function run(bench: Bench): Promise<Result[]> {
  if (!wrkPath)
    return [
      notMeasured('home requests', '/s', withoutWrk, 'ratio ≥ 0.9'),
      notMeasured('home p99 at 500/s', 'ms', withoutWrk, 'ratio ≤ 1.3'),
    ];
  const market = await bench.market();
  const bare = await bareCopy(bench, market);
  const load = (child: Child, seconds: number) =>
    wrk({ url: `${child.url}/`, headers: phoneHeaders, connections: 64, seconds });
  const pace = (child: Child) =>
    wrk({
      url: `${child.url}/`,
      headers: phoneHeaders,
      connections: pacedConnections,
      seconds: 4,
      script: steadily(500, pacedConnections),
    });
  const full = { own: [] as Loaded[], bare: [] as Loaded[] };
  const paced = { own: [] as Loaded[], bare: [] as Loaded[] };
  await load(market, 2);
  await load(bare, 2);
  for (let round = 0; round < rounds; round++) {
    bench.say(`home requests, round ${round + 1} of ${rounds}`);
    full.own.push(await load(market, 3));
    full.bare.push(await load(bare, 3));
    paced.own.push(await pace(market));
    paced.bare.push(await pace(bare));
  }
  await market.stop();
  await bare.stop();
  const errors = [...full.own, ...paced.own].reduce((sum, { errors: n }) => sum + n, 0);
  const rate = Math.round(paced.own.reduce((sum, { perSecond }) => sum + perSecond, 0) / rounds);
  const failed = errors > 0 ? `, ${errors} errors` : '';
  const pick = (runs: Loaded[], key: 'perSecond' | 'p99') => runs.map((one) => one[key]);
  return [
    compared(
      'home requests',
      '/s',
      pick(full.own, 'perSecond'),
      pick(full.bare, 'perSecond'),
      ratioAtLeast(0.9),
      `wrk, 64 connections${failed}`,
    ),
    compared(
      'home p99 at 500/s',
      'ms',
      pick(paced.own, 'p99'),
      pick(paced.bare, 'p99'),
      ratioAtMost(1.3),
      `wrk with a Lua delay, really ${rate}/s`,
    ),
  ];
}
