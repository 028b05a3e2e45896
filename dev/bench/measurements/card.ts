import { atMost, median, notMeasured, percentile, type Result } from '../../testbed/report.ts';
import { visit } from '../browser.ts';
import type { Bench } from '../testbed.ts';
import { changeSlot } from './change.ts';

export const names = ['commit to changed card'];
const name = names[0] ?? '';
const changes = 21;
const target = 'p95 ≤ 1500 ms';

/** Time from the commit of a slot's change until an open home page shows it, in Chromium. */
export async function run(bench: Bench): Promise<Result[]> {
  const market = await bench.market();
  const { page, traffic, close } = await visit();
  try {
    let opened: () => void = () => {};
    const line = new Promise<'line'>((resolve) => (opened = () => resolve('line')));
    page.on('request', (request) => request.url().includes('/api/live') && opened());
    await page.goto(`${market.url}/`, { waitUntil: 'load' });
    const found = await Promise.race([line, traffic.quiet(4000).then(() => 'none' as const)]);
    if (found === 'none')
      return [
        notMeasured(
          name,
          'ms',
          'the home page opens no line to /api/live: it has no live client yet',
          target,
        ),
      ];
    await page.waitForTimeout(1000);
    const took: number[] = [];
    for (let change = 0; change < changes; change++) {
      bench.say(`change ${change + 1} of ${changes} on an open page`);
      const slotId = 1 + (change % 8);
      const { mark, committing } = await changeSlot(bench.sql, slotId);
      const shown = await page
        .waitForFunction(
          ([slot, end]) =>
            document
              .querySelector(`[data-stall="${slot}"] .countdown`)
              ?.getAttribute('data-end') === end,
          [String(slotId), mark],
          { timeout: 10_000 },
        )
        .then(
          () => true,
          () => false,
        );
      if (!shown)
        return [notMeasured(name, 'ms', 'an open page did not show a change within 10 s', target)];
      took.push(performance.now() - committing);
    }
    const value = percentile(took, 0.95);
    return [
      {
        name,
        value,
        unit: 'ms',
        ...atMost(1500, 'ms', value),
        want: target,
        note: `p95 of ${changes}, median ${Math.round(median(took))} ms, debounce of 1 s included`,
      },
    ];
  } finally {
    await close();
    await market.stop();
  }
}
