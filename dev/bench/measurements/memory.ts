import { phoneHeaders } from '../http.ts';
import { compared, notMeasured, type Result, ratioAtMost } from '../report.ts';
import { type Bench, residentMegabytes } from '../testbed.ts';
import { withoutWrk, wrk, wrkExactly, wrkPath } from '../wrk.ts';

export const names = ['memory after 100,000 requests'];
const name = names[0] ?? '';
const [rounds, few, many] = [5, 10_000, 100_000];
/** Below this rate, five times 100,000 requests would take longer than all other measurements. */
const slowest = 2000;

/** Resident memory of a fresh server after 100,000 requests of the home page, against 10,000. */
export async function run(bench: Bench): Promise<Result[]> {
  const none = (why: string) => [notMeasured(name, 'MB', why, 'ratio ≤ 1.15')];
  if (!wrkPath) return none(withoutWrk);
  const load = { headers: phoneHeaders, connections: 64 };
  const probed = await bench.market();
  const { perSecond } = await wrk({ ...load, url: `${probed.url}/`, seconds: 3 });
  await probed.stop();
  if (perSecond < slowest)
    return none(
      `at ${Math.round(perSecond)} requests/s it would take ${Math.round((rounds * many) / perSecond / 60)} minutes`,
    );
  const [own, reference]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    bench.say(`memory, round ${round + 1} of ${rounds}`);
    const market = await bench.market();
    const url = `${market.url}/`;
    await wrkExactly(few, { ...load, url });
    reference.push(await residentMegabytes(market.pid));
    await wrkExactly(many - few, { ...load, url });
    own.push(await residentMegabytes(market.pid));
    await market.stop();
  }
  return [compared(name, 'MB', own, reference, ratioAtMost(1.15), 'a fresh process each round')];
}
