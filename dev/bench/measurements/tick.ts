import { type Visited, visit } from '../browser.ts';
import { compared, type Result } from '../report.ts';
import type { Bench } from '../testbed.ts';

export const names = ['countdown tick'];
const [rounds, windowMs] = [5, 10_000];

async function taskSeconds({ cdp }: Visited): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

/** Main thread time of an idle home page, in ms per second, with and without its script. */
export async function run(bench: Bench): Promise<Result[]> {
  const market = await bench.market();
  const bare = await bench.market({ strip: true });
  const open = async (url: string) => {
    const visited = await visit();
    await visited.page.goto(url, { waitUntil: 'load' });
    await visited.traffic.quiet(2500);
    return visited;
  };
  const costs = async (visited: Visited) => {
    await visited.page.bringToFront();
    const [before, started] = [await taskSeconds(visited), performance.now()];
    await Bun.sleep(windowMs);
    return ((await taskSeconds(visited)) - before) / ((performance.now() - started) / 1_000_000);
  };
  const [own, without]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    bench.say(`an idle home page, round ${round + 1} of ${rounds}`);
    // One at a time: a second open page would cost the first one time.
    const first = await open(`${market.url}/`);
    own.push(await costs(first));
    await first.close();
    const second = await open(`${bare.url}/`);
    without.push(await costs(second));
    await second.close();
  }
  await market.stop();
  await bare.stop();
  return [
    compared(
      'countdown tick',
      'ms/s',
      own,
      without,
      undefined,
      'main thread of an idle page, in view, no throttling',
    ),
  ];
}
