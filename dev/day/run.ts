import '../../tests/support/apart.ts';
import { buildSite } from '../../api/pages/build.ts';
import { pathOf } from '../programs.ts';
import { options, program, say } from '../testbed/program.ts';
import { ownCluster } from '../testbed/server.ts';
import { runDay } from './day.ts';
import { dayInWords, verdictsOf } from './report.ts';

/**
 * `bun run day`: an hour of a market with 10,000 visits at random times and ten times the rate for
 * five minutes, with a backup, jobs, a rolling restart and a `kill -9`. `--minutes 3` is shorter at
 * the same rate, `--visits` sets another one; `--backup-every 120` writes a backup every two
 * minutes, and restores and checks every tenth. Exits with 1 when a target was missed.
 */
const given = options({
  ...{ minutes: 60, visits: 0, seed: 54, 'backup-every': 0, 'restore-every': 10 },
  front: pathOf('caddy') ? 'caddy' : 'own',
});
const { minutes, seed, front } = given;
if (front !== 'own' && !(front === 'caddy' && pathOf('caddy')))
  throw new Error('--front is own, or caddy where it is installed');

await program(async () => {
  await buildSite();
  const part = minutes / 60;
  let told = 0;
  const day = await runDay({
    ...{ seconds: minutes * 60, visits: given.visits || Math.round(part * 10_000), seed },
    ...{ uploads: Math.ceil(100 * part), chats: Math.ceil(60 * part) },
    ...{ photos: 54, members: 20, drainSeconds: 5 },
    backupEvery: given['backup-every'] || undefined,
    restoreEvery: given['restore-every'],
    url: (await ownCluster()).url,
    front,
    say,
    onLook({ at, megabytes, connections, files, lines }, done) {
      if (at < told) return;
      told = at + 60;
      say(
        `${at.toFixed(0)} s: ${done} visits, ${lines} open pages, ${megabytes.toFixed(0)} MB, ${connections} connections, ${files} files`,
      );
    },
  });
  console.log(dayInWords(day));
  return verdictsOf(day).every(({ met }) => met);
});
