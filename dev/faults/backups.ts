import '../../tests/support/apart.ts';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from '../../api/pages/build.ts';
import { startMarket, untilQuiet } from '../attack/market.ts';
import { percentile } from '../bench/report.ts';
import { openCrowd } from '../soak/crowd.ts';
import { onFolder, restoreInto, timedCommand } from './copies.ts';

/**
 * `bun run backups --times 200 --every 20`: backs up its own demo market repeatedly under load,
 * restores every twentieth backup on an empty database and checks every rule there. Exits with 1
 * when a backup or restore failed, took longer than `--seconds 120`, or left something behind.
 */
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '200' },
    every: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '120' },
  },
});
const [times, every, seconds] = [
  Number(values.times),
  Number(values.every),
  Number(values.seconds),
];
if (!(times > 0 && every > 0 && seconds > 0))
  throw new Error('--times, --every and --seconds need a number');

const say = (text: string) => console.error(`· ${text}`);
const folder = mkdtempSync(join(tmpdir(), 'marche54-backups-'));
let going = true;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (going = false));

await buildSite();
say('starting a market of its own');
const market = await startMarket();
const counts = { written: 0, failed: 0, hung: 0, restored: 0, wrong: 0 };
const lengths: number[] = [];
try {
  await untilQuiet(market);
  const crowd = await openCrowd(market);
  const [products] = await market.sql<{ n: number }[]>`select count(*)::int as n from products`;
  say(`${times} backups of a market of ${products?.n} products, under load`);
  for (let n = 1; going && n <= times; n++) {
    const file = join(folder, 'market.tar');
    const backup = await timedCommand('api/commands/backUp.ts', onFolder(market.folder), [file], {
      seconds,
    });
    lengths.push(backup.ms);
    if (backup.ok) counts.written++;
    else {
      counts[backup.hung ? 'hung' : 'failed']++;
      console.log(`backup ${n}: ${backup.hung ? `hung for ${seconds} s` : backup.said}`);
    }
    if (backup.ok && n % every === 0) {
      const restored = await restoreInto(join(folder, 'restored'), file, { seconds });
      if (restored.ok) counts.restored++;
      else {
        counts.wrong++;
        console.log(`restore ${n}: ${restored.said}`);
      }
      say(`${n} written, the last one restored: ${restored.said.split('\n').at(-1)}`);
    }
    rmSync(file, { force: true });
  }
  const { failed, milliseconds } = crowd.take();
  await crowd.stop();
  const left = readdirSync(folder);
  const figures = [0.5, 0.95, 1].map(
    (share) => `${(percentile(lengths, share) / 1000).toFixed(1)} s`,
  );
  console.log(
    `${JSON.stringify(counts)} p50 ${figures[0]}, p95 ${figures[1]}, longest ${figures[2]}; the crowd had ${milliseconds.length} answers, ${failed} failed`,
  );
  if (left.length > 0) console.log(`left behind: ${left.join(', ')}`);
  process.exitCode =
    going && counts.failed + counts.hung + counts.wrong + left.length === 0 ? 0 : 1;
} finally {
  await market.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
