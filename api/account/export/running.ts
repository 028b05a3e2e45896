import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Ctx } from '../../core/context.ts';
import { Refusal } from '../../shared/errors.ts';
import { limits } from '../rules.ts';

const { dataExports } = schema;

export async function expectNoneRuns(ctx: Ctx, userId: string): Promise<void> {
  const running = and(
    eq(dataExports.userId, userId),
    isNotNull(dataExports.begunAt),
    isNull(dataExports.endedAt),
    gt(dataExports.begunAt, new Date(ctx.now().getTime() - limits.exportMs)),
  );
  const [one] = await ctx.db
    .select({ id: dataExports.id })
    .from(dataExports)
    .where(running)
    .limit(1);
  if (one) throw new Refusal('account.exportRunning', {}, [], { retryAfter: 30 });
}
