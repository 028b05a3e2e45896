import '../../tests/support/apart.ts';
import { startCluster } from '../../tests/support/cluster.ts';
import { longRun } from './long.ts';
import { openTestbed } from './testbed.ts';

/**
 * `bun run faults`: sellers, buyers, members and admins write while the server, Postgres and
 * connections are killed; then everything is counted.
 */
await longRun(async (undo) => {
  const cluster = await startCluster({ durable: true });
  undo.push(() => cluster.stop());
  return openTestbed(cluster);
});
