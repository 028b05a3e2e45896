import { compared, type Result, ratioAtMost } from '../../testbed/report.ts';
import { visit } from '../browser.ts';
import { receive } from '../http.ts';
import { slowNetwork } from '../slowNetwork.ts';
import type { Bench } from '../testbed.ts';

export const names = ['first picture over TLS'];
const rounds = 5;
/** High enough to show the first card. */
const viewport = { width: 412, height: 915 };
const pace = { roundTripMs: 400, bytesPerMs: 50 };

type Seen = { firstByte: number; picture: number; bytes: number };

/** One visit: when the page began to arrive, and when the first card's picture had arrived. */
async function load(url: string): Promise<Seen> {
  const { page, traffic, close } = await visit({ viewport });
  await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
  await traffic.quiet(1000);
  const seen = await page.evaluate((): Seen => {
    const [answer] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const image = document.querySelector<HTMLImageElement>('[data-stall] img');
    const [file] = performance.getEntriesByName(
      image?.currentSrc ?? '',
    ) as PerformanceResourceTiming[];
    if (!answer || !file) throw new Error('The first card has no picture.');
    return {
      firstByte: answer.responseStart,
      picture: file.responseEnd,
      bytes: file.encodedBodySize,
    };
  });
  await close();
  return seen;
}

/**
 * The first card's picture over a really slow TLS connection, against the page's first byte, one
 * round trip and the picture's bytes at the connection's rate.
 */
export async function run(bench: Bench): Promise<Result[]> {
  const market = await bench.market();
  const url = await slowNetwork(market.url, pace, bench.folder);
  await receive(`${market.url}/fr`);
  const seen: Seen[] = [];
  for (let round = 0; round < rounds; round++) {
    bench.say(`home over a far line, round ${round + 1} of ${rounds}`);
    seen.push(await load(`${url}/fr`));
  }
  await market.stop();
  const best = seen.map(
    ({ firstByte, bytes }) => firstByte + pace.roundTripMs + bytes / pace.bytesPerMs,
  );
  const [first] = seen;
  return [
    compared(
      'first picture over TLS',
      'ms',
      seen.map(({ picture }) => picture),
      best,
      ratioAtMost(1.05),
      `first byte ${Math.round(first?.firstByte ?? 0)}, picture ${((first?.bytes ?? 0) / 1000).toFixed(1)} KB`,
    ),
  ];
}
