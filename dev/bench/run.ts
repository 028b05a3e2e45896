import '../../tests/support/apart.ts';
import { parseArgs } from 'node:util';
import { buildSite } from '../../api/pages/build.ts';
import * as arrival from './measurements/arrival.ts';
import * as card from './measurements/card.ts';
import * as change from './measurements/change.ts';
import * as chat from './measurements/chat.ts';
import * as connectPaint from './measurements/connectPaint.ts';
import * as events from './measurements/events.ts';
import * as feed from './measurements/feed.ts';
import * as filling from './measurements/filling.ts';
import * as growth from './measurements/growth.ts';
import * as lists from './measurements/lists.ts';
import * as machines from './measurements/machines.ts';
import * as marketPaint from './measurements/marketPaint.ts';
import * as memory from './measurements/memory.ts';
import * as paid from './measurements/paid.ts';
import * as paint from './measurements/paint.ts';
import * as queue from './measurements/queue.ts';
import * as read from './measurements/read.ts';
import * as search from './measurements/search.ts';
import * as throughput from './measurements/throughput.ts';
import * as tick from './measurements/tick.ts';
import * as weight from './measurements/weight.ts';
import { type Result, table } from './report.ts';
import { type Bench, end, openTestbed } from './testbed.ts';

/**
 * `bun run bench`: measures the project's promises on speed, each against a reference rebuilt in
 * the same run, and prints a table. `--json` prints JSON; `--only <part>` selects by name;
 * `--large` adds what must cost the same at a million rows (some minutes, 4 GB of disk).
 */
type Measurement = { names: readonly string[]; large?: true; run(bench: Bench): Promise<Result[]> };
const measurements: Measurement[] = [
  throughput,
  machines,
  read,
  change,
  events,
  paid,
  feed,
  filling,
  memory,
  weight,
  paint,
  connectPaint,
  marketPaint,
  arrival,
  card,
  chat,
  tick,
  queue,
  lists,
  growth,
  search,
];

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    large: { type: 'boolean', default: false },
  },
});
const only = values.only.toLowerCase();
const say = (text: string) => console.error(`· ${text}`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void end().then(() => process.exit(130)));

async function main(): Promise<number> {
  const wanted = (name: string) => name.toLowerCase().includes(only);
  const among = measurements.filter(({ large }) => !large || values.large);
  const chosen = among.filter(({ names }) => names.some(wanted));
  if (chosen.length === 0) {
    console.error(
      `Nothing is called “${only}”. There are: ${among.flatMap(({ names }) => names).join(', ')}`,
    );
    return 2;
  }
  say((await buildSite()) ? 'built the site' : 'the site is built');
  const bench = await openTestbed(say);
  const results: Result[] = [];
  for (const measurement of chosen)
    results.push(...(await measurement.run(bench)).filter(({ name }) => wanted(name)));
  if (values.json) console.log(JSON.stringify(results, null, 2));
  else console.log(`\n${table(results)}\n`);
  return 0;
}

let code = 1;
try {
  code = await main();
} catch (error) {
  console.error(error);
} finally {
  await end();
}
process.exit(code);
