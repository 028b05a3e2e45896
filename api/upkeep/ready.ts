import { sql } from 'drizzle-orm';
import type { Ctx, Services } from '../core/context.ts';
import { within } from '../shared/within.ts';

/** Probes come often and treat silence as a failure. */
const limitMs = 3000;

type Health = { ready: boolean; database: boolean; storage: boolean };
const under = new WeakMap<Services, Promise<Health>>();

/** Concurrent callers share one probe. */
export function health(ctx: Ctx): Promise<Health> {
  const { services } = ctx;
  const asked = under.get(services) ?? look(ctx).finally(() => under.delete(services));
  under.set(services, asked);
  return asked;
}

async function look(ctx: Ctx): Promise<Health> {
  const works = async (attempt: Promise<unknown>) =>
    within(limitMs, attempt).then(
      () => true,
      (error) => {
        ctx.services.log.error('Not ready', { error });
        return false;
      },
    );
  const [database, storage] = await Promise.all([
    works(ctx.db.execute(sql`select 1`)),
    works(ctx.services.storage.probe()),
  ]);
  return { ready: database && storage && !ctx.services.leaving.aborted, database, storage };
}
