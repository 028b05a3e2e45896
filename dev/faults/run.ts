import '../../tests/support/apart.ts';
import { jpeg } from '../../tests/support/photos.ts';
import { openPooler } from '../ops/pgbouncer.ts';
import { pathOf } from '../programs.ts';
import { openMachines } from '../testbed/machines.ts';
import { openTestbed, type Testbed } from '../testbed/market.ts';
import { onEnd, options, program, say } from '../testbed/program.ts';
import { ownCluster } from '../testbed/server.ts';
import { connectActs } from './acts.ts';
import { marketActs } from './marketActs.ts';
import { storm, summary } from './storm.ts';

/**
 * `bun run faults`: sellers, buyers, members and admins write while the server, Postgres and
 * connections are killed, at most `--minutes 5`; then everything is counted. `--seed N` repeats
 * a run. `--several` has members write to two processes of three, killed in turns, behind PgBouncer
 * where it is installed, unless `--direct`. Exits with 1 when a rule was broken or a write lost.
 */
const { several, direct, ...given } = options({
  ...{ minutes: 5, kills: 40, writers: 32, seed: 0 },
  ...{ several: false, direct: false },
});
const seed = given.seed || Math.floor(Math.random() * 2 ** 31);

async function openSeveral(): Promise<Testbed> {
  const { url, target } = await ownCluster();
  if (direct || !pathOf('pgbouncer')) {
    say('on Postgres itself');
    return openMachines(url);
  }
  say('behind PgBouncer in transaction mode');
  const pooler = await openPooler(target);
  onEnd(() => pooler.stop());
  return openMachines(url, { pooler: pooler.url });
}

await program(async () => {
  say(`seed ${seed}`);
  const testbed = several ? await openSeveral() : await openTestbed((await ownCluster()).cluster);
  onEnd(() => testbed.stop());
  const acts = [...connectActs, ...marketActs(new Uint8Array(await jpeg(60)))].filter(
    ({ name }) => name !== 'message' || testbed.heard,
  );
  // A third of the kills hit the server, a quarter Postgres, the rest single connections.
  const server = testbed.kill.server ? Math.round(given.kills * 0.33) : 0;
  const postgres = testbed.kill.postgres ? Math.round(given.kills * 0.25) : 0;
  const outcome = await storm(testbed, {
    acts,
    seed,
    seconds: given.minutes * 60,
    kills: { server, postgres, backend: given.kills - server - postgres },
    writers: given.writers,
    listed: testbed.heard ? 80 : 0,
    say,
  });
  const { of, refusals, cutOff, violations, lost } = outcome;
  console.log(JSON.stringify({ seed, cutOff, of, refusals }, null, 2));
  for (const text of violations) console.log(`violation: ${text}`);
  for (const text of lost) console.log(`lost: ${text}`);
  console.log(summary(outcome));
  return violations.length + lost.length === 0;
});
