import '../../tests/support/apart.ts';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildSite } from '../../api/pages/build.ts';
import { startCluster } from '../../tests/support/cluster.ts';
import { inDatabase } from '../../tests/support/global.ts';
import { urlOf } from '../faults/testbed.ts';
import { pathOf } from '../programs.ts';
import { runDay } from './day.ts';
import { dayInWords, verdictsOf } from './report.ts';
import type { FrontName } from './testbed.ts';

/**
 * `bun run day`: an hour of a market with 10,000 visits at random times and ten times the rate for
 * five minutes, with a backup, jobs, a rolling restart and a `kill -9`.
 * `--minutes 3 --visits 500` is shorter at the same rate; `--backup-every 120` writes a backup
 * every two minutes, and restores and checks every tenth. Exits with 1 when a target was missed.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    visits: { type: 'string' },
    seed: { type: 'string', default: '54' },
    'backup-every': { type: 'string' },
    'restore-every': { type: 'string', default: '10' },
    front: { type: 'string', default: pathOf('caddy') ? 'caddy' : 'own' },
    json: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const visits = Number(values.visits ?? Math.round((minutes / 60) * 10_000));
const [backupEvery, restoreEvery] = [
  values['backup-every'] ? Number(values['backup-every']) : undefined,
  Number(values['restore-every']),
];
const front = values.front as FrontName;
const numbers = [minutes, visits, Number(values.seed), backupEvery ?? 1, restoreEvery];
if (!numbers.every((number) => Number.isFinite(number) && number > 0))
  throw new Error('--minutes, --visits, --seed and both --…-every need a number');
if (!['caddy', 'own'].includes(front) || (front === 'caddy' && !pathOf('caddy')))
  throw new Error('--front is own, or caddy where it is installed');

const say = (text: string) => console.error(`· ${text}`);
await buildSite();
const cluster = await startCluster({ durable: true });
let code = 1;
let stopping: Promise<void> | undefined;
const stop = () => {
  stopping ??= cluster.stop();
  return stopping;
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop().then(() => process.exit(130)));
try {
  const part = minutes / 60;
  let told = 0;
  const day = await runDay({
    ...{
      seconds: minutes * 60,
      visits,
      seed: Number(values.seed),
      uploads: Math.ceil(100 * part),
      chats: Math.ceil(60 * part),
      backupEvery,
      restoreEvery,
    },
    ...{
      url: urlOf(inDatabase(cluster.target, cluster.database)),
      front,
      photos: 54,
      members: 20,
      drainSeconds: 5,
      say,
    },
    onLook({ second, megabytes, connections, files, lines }, done) {
      if (second < told) return;
      told = second + 60;
      say(
        `${second} s: ${done} visits, ${lines} open pages, ${megabytes.toFixed(0)} MB, ${connections} connections, ${files} files`,
      );
    },
  });
  console.log(dayInWords(day));
  if (values.json) writeFileSync(values.json, JSON.stringify(day));
  code = verdictsOf(day).every(({ met }) => met) ? 0 : 1;
} catch (error) {
  console.error(error);
} finally {
  await stop();
}
process.exit(code);
