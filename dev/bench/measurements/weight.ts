import { atMost, median, type Result } from '../../testbed/report.ts';
import { visit } from '../browser.ts';
import { atFirst, budgets, scriptsOf, totalBytes } from '../bytes.ts';
import { receive, unpacked, untilSettled } from '../http.ts';
import type { Bench, Child } from '../testbed.ts';

export const names = [
  'home HTML, first',
  'home HTML, soon after',
  'home JavaScript',
  'home JavaScript, all that can load',
  'worker',
  'manifest',
  'card image',
  'product hero',
  'bytes to idle',
  'bytes to idle, Save-Data',
];
const [rounds, quietMs] = [5, 2500];

const kilobytes = (name: string, bytes: number, limit: number, note?: string): Result => ({
  name,
  value: bytes / 1000,
  unit: 'KB',
  ...atMost(limit / 1000, 'KB', bytes / 1000),
  ...(note ? { note } : {}),
});

async function files(market: Child): Promise<Result[]> {
  const firsts: number[] = [];
  const lasts: number[] = [];
  let html = '';
  let encoding: string | null = null;
  for (let round = 0; round < rounds; round++) {
    await market.drop();
    const { first, last } = await untilSettled(`${market.url}/`);
    firsts.push(first.bytes.byteLength);
    lasts.push(last.bytes.byteLength);
    html = unpacked(last);
    encoding = last.headers.get('content-encoding');
  }
  const scripts = await scriptsOf(html, async (path) => {
    const received = await receive(market.url + path, { 'accept-encoding': 'br' });
    return { text: unpacked(received), bytes: received.bytes.byteLength };
  });
  const weigh = async (path: string) =>
    (await receive(market.url + path, { 'accept-encoding': 'gzip, br' })).bytes.byteLength;
  const note =
    encoding === 'br' ? undefined : `answered with content-encoding: ${encoding ?? 'none'}`;
  return [
    kilobytes('home HTML, first', median(firsts), budgets.htmlFirst, note),
    kilobytes('home HTML, soon after', median(lasts), budgets.htmlSoon, note),
    kilobytes(
      'home JavaScript',
      totalBytes(atFirst(scripts)),
      budgets.scripts,
      `${atFirst(scripts).length} scripts`,
    ),
    kilobytes(
      'home JavaScript, all that can load',
      totalBytes(scripts),
      budgets.everyScript,
      `${scripts.length} scripts`,
    ),
    kilobytes('worker', await weigh('/sw.js'), budgets.worker),
    kilobytes('manifest', await weigh('/manifest.webmanifest'), budgets.manifest),
  ];
}

type Opened = { bytes: number; images: number[]; count: number; formats: string };

/** Transferred bytes until the network is idle, without scrolling. */
async function open(url: string, saveData: boolean): Promise<Opened> {
  const { page, traffic, close } = await visit({ saveData });
  await page.goto(url, { waitUntil: 'load' });
  await traffic.quiet(quietMs);
  const images = traffic.finished.filter(({ url: address }) => address.includes('/media/'));
  await close();
  return {
    bytes: traffic.finished.reduce((sum, one) => sum + one.bytes, 0),
    images: images.map(({ bytes }) => bytes),
    count: traffic.finished.length,
    formats: [
      ...new Set(images.map(({ url: address }) => /-(\d+\.\w+)$/.exec(address)?.[1] ?? '?')),
    ].join(', '),
  };
}

/** Weight of the pages, with photos like those of sellers. */
export async function run(bench: Bench): Promise<Result[]> {
  const market = await bench.market();
  bench.say('bytes of HTML and scripts');
  const results = await files(market);
  const [whole, saving, heroes]: Opened[][] = [[], [], []];
  const product = bench.products[20];
  for (let round = 0; round < rounds; round++) {
    bench.say(`bytes in Chromium, round ${round + 1} of ${rounds}`);
    whole?.push(await open(`${market.url}/`, false));
    saving?.push(await open(`${market.url}/`, true));
    heroes?.push(await open(`${market.url}/shop/${product?.slotId}/${product?.slug}`, false));
  }
  await market.stop();
  const middle = (opened: Opened[] | undefined) => median((opened ?? []).map(({ bytes }) => bytes));
  const cards = whole?.flatMap(({ images }) => images) ?? [];
  const hero = heroes?.flatMap(({ images }) => Math.max(...images)) ?? [];
  const told = (opened: Opened[] | undefined) =>
    `${opened?.[0]?.count} requests, ${opened?.[0]?.images.length} photos`;
  return [
    ...results,
    kilobytes(
      'card image',
      median(cards),
      budgets.card,
      `with headers, ${whole?.[0]?.formats}; largest ${(Math.max(...cards) / 1000).toFixed(1)} KB`,
    ),
    kilobytes('product hero', median(hero), budgets.hero, `with headers, ${heroes?.[0]?.formats}`),
    kilobytes('bytes to idle', middle(whole), budgets.idle, told(whole)),
    kilobytes('bytes to idle, Save-Data', middle(saving), budgets.idleSaving, told(saving)),
  ];
}
