import '../../tests/support/apart.ts';
import { startCluster } from '../../tests/support/cluster.ts';
import { inDatabase } from '../../tests/support/global.ts';
import { longRun } from '../faults/long.ts';
import { urlOf } from '../faults/testbed.ts';
import { openPooler } from '../ops/pgbouncer.ts';
import { pathOf } from '../programs.ts';
import { openMachines } from './testbed.ts';

/**
 * `bun run machines`: members write to two processes of three while these are killed in turns; then
 * everything is counted. Uses PgBouncer where installed, unless `--direct`.
 */
await longRun(async (undo, say) => {
  const cluster = await startCluster({ durable: true });
  undo.push(() => cluster.stop());
  const target = inDatabase(cluster.target, cluster.database);
  const pooler =
    pathOf('pgbouncer') && !process.argv.includes('--direct')
      ? await openPooler(target)
      : undefined;
  if (pooler) undo.push(() => pooler.stop());
  say(pooler ? 'behind PgBouncer in transaction mode' : 'on Postgres itself');
  return openMachines(urlOf(target), { pooler: pooler?.url });
});
