import { sql } from 'drizzle-orm';
import type { Ctx } from '../core/context.ts';
import { within } from './check.ts';

/** Whoever asks this asks often, and takes no answer for an answer of its own. */
const limitMs = 3000;

/** Whether the process can serve: the database and the storage answer now. */
export async function health(ctx: Ctx): Promise<{ ready: boolean; database: boolean; storage: boolean }> {
  const works = async (attempt: Promise<unknown>) =>
    within(limitMs, attempt).then(
      () => true,
      (error) => {
        ctx.services.log.error('Not ready', { error });
        return false;
      },
    );
  const [database, storage] = await Promise.all([works(ctx.db.execute(sql`select 1`)), works(ctx.services.storage.probe())]);
  return { ready: database && storage, database, storage };
}
