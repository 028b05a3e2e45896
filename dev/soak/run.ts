import '../../tests/support/apart.ts';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildSite } from '../../api/pages/build.ts';
import { startMarket, untilQuiet } from '../attack/market.ts';
import { percentile } from '../bench/report.ts';
import { residentMegabytes } from '../bench/testbed.ts';
import { openCrowd } from './crowd.ts';
import { judge, type Sample } from './judge.ts';

/**
 * `bun run soak --minutes 30`: a steady load of buyers, members, a seller, an admin and chats on a
 * separate market. Samples memory, connections, open files and answer times every half minute;
 * exits with 1 when one of them did not stay flat.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, every: { type: 'string', default: '30' } },
});
const [minutes, every] = [Number(values.minutes), Number(values.every)];
if (!(minutes > 0 && every > 0)) throw new Error('--minutes and --every need a number');

const columns = [
  'second',
  'megabytes',
  'connections',
  'files',
  'p50',
  'p95',
  'ruler50',
  'ruler95',
  'answers',
  'failed',
] as const;
const figure = (value: number) => value.toFixed(1).replace(/\.0$/, '');
const line = (cells: readonly string[]) => cells.map((cell) => cell.padStart(12)).join('');

const work = new Uint8Array(4_000_000);
/** Times a constant piece of work, which takes longer on a busy machine. */
function rulerMs(): number {
  const started = performance.now();
  Bun.SHA256.hash(work);
  return performance.now() - started;
}

await buildSite();
console.error('· starting a market of its own');
const market = await startMarket();
let going = true;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (going = false));
let code = 1;
try {
  console.error('· waiting until its pictures are made');
  await untilQuiet(market);
  const crowd = await openCrowd(market);
  const samples: Sample[] = [];
  const lengths: number[] = [];
  const measuring = setInterval(() => lengths.push(rulerMs()), 200);
  const started = performance.now();
  console.log(line(columns));
  const look = async (): Promise<Sample> => {
    const { milliseconds, failed } = crowd.take();
    const ruler = lengths.splice(0);
    const [row] = await market.sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    return {
      second: Math.round((performance.now() - started) / 1000),
      megabytes: await residentMegabytes(market.pid),
      connections: row?.n ?? 0,
      files: readdirSync(`/proc/${market.pid}/fd`).length,
      p50: percentile(milliseconds, 0.5),
      p95: percentile(milliseconds, 0.95),
      ruler50: percentile(ruler, 0.5),
      ruler95: percentile(ruler, 0.95),
      answers: milliseconds.length,
      failed,
    };
  };
  for (let next = every; going && next <= minutes * 60; next += every) {
    await Bun.sleep(Math.max(0, next * 1000 - (performance.now() - started)));
    const sample = await look();
    samples.push(sample);
    console.log(line(columns.map((column) => figure(sample[column]))));
  }
  clearInterval(measuring);
  await crowd.stop();
  const verdicts = judge(samples);
  const failed = samples.reduce((sum, sample) => sum + sample.failed, 0);
  const answers = samples.reduce((sum, sample) => sum + sample.answers, 0);
  console.log(`\n${line(['', 'first third', 'last third', 'at most', 'flat'])}`);
  for (const { measure, first, last, most, flat } of verdicts)
    console.log(line([measure, ...[first, last, most].map(figure), flat ? 'yes' : 'NO']));
  console.log(`\n${answers} answers, ${failed} failed`);
  code = going && failed === 0 && verdicts.every(({ flat }) => flat) ? 0 : 1;
} catch (error) {
  console.error(error);
} finally {
  await market.stop();
}
process.exit(code);
