import { longRun } from '../faults/long.ts';
import { urlOf } from '../faults/place.ts';
import { openPooler, pgbouncer } from '../support/pgbouncer.ts';
import { openMachines } from './place.ts';

/**
 * `bun run machines`: members write to two processes of three while these are killed in turns, and then everything is counted. Behind PgBouncer where it is
 * installed, unless `--direct`.
 */
await longRun(async (target, undo, say) => {
  const pooler = pgbouncer && !process.argv.includes('--direct') ? await openPooler(target) : undefined;
  if (pooler) undo.push(() => pooler.stop());
  say(pooler ? 'behind PgBouncer in transaction mode' : 'on Postgres itself');
  return openMachines(urlOf(target), pooler?.url);
});
