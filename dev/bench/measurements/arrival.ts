import { compared, type Result, ratioAtMost } from '../../testbed/report.ts';
import { visit } from '../browser.ts';
import { receive } from '../http.ts';
import { slowNetwork } from '../slowNetwork.ts';
import type { Bench } from '../testbed.ts';

export const names = ['home LCP over TLS'];
const rounds = 5;
/** High enough that the first card's picture is the largest contentful paint. */
const viewport = { width: 412, height: 915 };
const pace = { roundTripMs: 400, bytesPerMs: 50 };

type Seen = { lcp: number; firstByte: number; firstPaint: number; picture: number };

/** One visit: when the largest picture was there, and its earliest possible time. */
async function load(url: string): Promise<Seen> {
  const { page, traffic, close } = await visit({ viewport });
  await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
  await traffic.quiet(1000);
  const seen = await page.evaluate(async (): Promise<Seen> => {
    const largest = await new Promise<PerformanceEntry & { url: string }>((resolve) =>
      new PerformanceObserver((list) =>
        resolve(list.getEntries().at(-1) as PerformanceEntry & { url: string }),
      ).observe({
        type: 'largest-contentful-paint',
        buffered: true,
      }),
    );
    const [answer] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const [file] = largest.url
      ? (performance.getEntriesByName(largest.url) as PerformanceResourceTiming[])
      : [];
    return {
      lcp: largest.startTime,
      firstByte: answer?.responseStart ?? 0,
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      picture: file?.encodedBodySize ?? 0,
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
    ({ firstByte, picture }) => firstByte + pace.roundTripMs + picture / pace.bytesPerMs,
  );
  const own = seen.map(({ lcp }) => lcp);
  const [first] = seen;
  const note = `first byte ${Math.round(first?.firstByte ?? 0)}, first paint ${Math.round(first?.firstPaint ?? 0)}, picture ${((first?.picture ?? 0) / 1000).toFixed(1)} KB`;
  return [compared('home LCP over TLS', 'ms', own, best, ratioAtMost(1.05), note)];
}
