import { sql } from 'drizzle-orm';
import type { Ctx } from '../core/context.ts';

/** Whether the process can serve: the database and the storage answer now. */
export async function health(ctx: Ctx): Promise<{ ready: boolean; database: boolean; storage: boolean }> {
  const works = async (attempt: Promise<unknown>) =>
    attempt.then(
      () => true,
      (error) => {
        ctx.services.log.error('Not ready', { error });
        return false;
      },
    );
  const [database, storage] = await Promise.all([works(ctx.db.execute(sql`select 1`)), works(ctx.services.storage.probe())]);
  return { ready: database && storage, database, storage };
}
