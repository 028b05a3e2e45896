import '../../tests/support/apart.ts';
import { buildSite } from '../../api/pages/build.ts';
import { options, program, say } from '../testbed/program.ts';
import { type Result, table } from '../testbed/report.ts';
import * as arrival from './measurements/arrival.ts';
import * as card from './measurements/card.ts';
import * as change from './measurements/change.ts';
import * as chat from './measurements/chat.ts';
import * as events from './measurements/events.ts';
import * as feed from './measurements/feed.ts';
import * as growth from './measurements/growth.ts';
import * as paint from './measurements/paint.ts';
import * as queue from './measurements/queue.ts';
import * as search from './measurements/search.ts';
import * as throughput from './measurements/throughput.ts';
import * as weight from './measurements/weight.ts';
import { type Bench, openTestbed } from './testbed.ts';

/**
 * `bun run bench`: measures the project's promises on speed, each against a reference rebuilt in
 * the same run, and prints a table. `--json` prints JSON; `--only <part>` selects by name;
 * `--large` adds what must cost the same at a million rows (some minutes, 4 GB of disk).
 */
type Measurement = { names: readonly string[]; large?: true; run(bench: Bench): Promise<Result[]> };
const measurements: Measurement[] = [
  throughput,
  change,
  events,
  feed,
  weight,
  paint,
  arrival,
  card,
  chat,
  queue,
  growth,
  search,
];
const { json, only, large } = options({ json: false, only: '', large: false });
const wanted = (name: string) => name.toLowerCase().includes(only.toLowerCase());
const among = measurements.filter((one) => !one.large || large);
const chosen = among.filter(({ names }) => names.some(wanted));

await program(async () => {
  if (chosen.length === 0)
    throw new Error(
      `Nothing is called “${only}”. There are: ${among.flatMap(({ names }) => names).join(', ')}`,
    );
  say((await buildSite()) ? 'built the site' : 'the site is built');
  const bench = await openTestbed();
  const results: Result[] = [];
  for (const measurement of chosen) {
    const rows = (await measurement.run(bench)).filter(({ name }) => wanted(name));
    // A later measurement may break off: these rows are printed by then.
    console.error(table(rows));
    results.push(...rows);
  }
  console.log(json ? JSON.stringify(results, null, 2) : `\n${table(results)}\n`);
  return true;
});
