import { atMost, compared, median, type Result, ratioAtMost } from '../../testbed/report.ts';
import { visit } from '../browser.ts';
import { fillConnect } from '../connectPosts.ts';
import { receive } from '../http.ts';
import type { Bench } from '../testbed.ts';

const screens = ['home', 'product', 'connect', 'market'];
export const names = [
  ...screens.flatMap((screen) => [`${screen} LCP`, `${screen} CLS`, `${screen} TBT`]),
  'JavaScript before LCP',
];
const [rounds, quietMs] = [5, 2000];

type Seen = { lcp: number; what: string; shift: number; blocked: number; scriptsBefore: number };
type Marks = {
  lcp: number;
  what: string;
  shift: number;
  tasks: { start: number; length: number }[];
};

/** Runs in the page before any other script. */
function observe(): void {
  const marks: Marks = { lcp: 0, what: '', shift: 0, tasks: [] };
  (globalThis as unknown as { marks: Marks }).marks = marks;
  const on = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry);
    }).observe({ type, buffered: true });
  on('largest-contentful-paint', (entry) => {
    const { element, url } = entry as PerformanceEntry & { element: Element | null; url: string };
    marks.lcp = entry.startTime;
    marks.what = `${element?.tagName.toLowerCase() ?? '?'}${url ? ` ${url.slice(url.lastIndexOf('-') + 1)}` : ''}`;
  });
  on('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    };
    if (!hadRecentInput) marks.shift += value;
  });
  on('longtask', (entry) => marks.tasks.push({ start: entry.startTime, length: entry.duration }));
}

/** One visit on slow 3G with a slow processor, until the network is idle. */
async function load(url: string): Promise<Seen> {
  const { page, traffic, close } = await visit({ slow: true });
  await page.addInitScript(observe);
  await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
  await traffic.quiet(quietMs);
  const seen = await page.evaluate((): Seen => {
    const { lcp, what, shift, tasks } = (globalThis as unknown as { marks: Marks }).marks;
    const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const early = resources.filter(
      ({ name, responseStart }) => name.endsWith('.js') && responseStart > 0 && responseStart < lcp,
    );
    return {
      lcp,
      what,
      shift,
      blocked: tasks
        .filter(({ start, length }) => start + length > first)
        .reduce((sum, { length }) => sum + length - 50, 0),
      scriptsBefore: early.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    };
  });
  await close();
  return seen;
}

/** Pages on a cheap phone, against the same pages without scripts from the same kind of process. */
export async function run(bench: Bench): Promise<Result[]> {
  await fillConnect(bench, 30);
  const product = bench.products[20];
  const paths: Record<string, string> = {
    home: '/',
    product: `/shop/${product?.slotId}/${product?.slug}`,
    connect: '/connect',
    market: '/market',
  };
  const market = await bench.market();
  const bare = await bench.market({ strip: true });
  const results: Result[] = [];
  for (const [name, path] of Object.entries(paths)) {
    const [own, without]: [Seen[], Seen[]] = [[], []];
    for (const child of [market, bare]) await receive(child.url + path);
    for (let round = 0; round < rounds; round++) {
      bench.say(`${name} on slow 3G, round ${round + 1} of ${rounds}`);
      own.push(await load(market.url + path));
      without.push(await load(bare.url + path));
    }
    const pick = (runs: Seen[], key: 'lcp' | 'shift' | 'blocked' | 'scriptsBefore') =>
      runs.map((seen) => seen[key]);
    const [shift, blocked] = [median(pick(own, 'shift')), median(pick(own, 'blocked'))];
    const scripts = median(pick(own, 'scriptsBefore')) / 1000;
    results.push(
      compared(
        `${name} LCP`,
        'ms',
        pick(own, 'lcp'),
        pick(without, 'lcp'),
        ratioAtMost(1.1),
        `largest: ${own[0]?.what}; without scripts ${without[0]?.what}`,
      ),
      {
        name: `${name} CLS`,
        value: shift,
        unit: '',
        reference: median(pick(without, 'shift')),
        ...atMost(0.01, '', shift),
      },
      // No target: most of it is caused by the measuring inspector (decision 013).
      {
        name: `${name} TBT`,
        value: blocked,
        unit: 'ms',
        reference: median(pick(without, 'blocked')),
      },
    );
    if (name === 'home')
      results.push({
        name: 'JavaScript before LCP',
        value: scripts,
        unit: 'KB',
        ...atMost(0, 'KB', scripts),
        note: 'answers that began before it',
      });
  }
  await market.stop();
  await bare.stop();
  return results;
}
