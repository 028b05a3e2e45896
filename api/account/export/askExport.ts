import { and, count, eq, gt } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { WithAuth } from '../../auth/context.ts';
import { requireAccount } from '../../core/access.ts';
import { inTransaction, lockNamed } from '../../core/transaction.ts';
import { Refusal } from '../../shared/errors.ts';
import { requireProof } from '../proof.ts';
import { limits } from '../rules.ts';
import type { Proof } from '../schema.ts';
import { expectNoneRuns } from './running.ts';

const { dataExports } = schema;

/**
 * Returns the id of a download link, good once, for five minutes and its person alone; a link, so
 * that the browser saves the file. Refuses as {@link requireProof}, `account.exportRunning`,
 * `account.exportOften`.
 */
export async function askExport(ctx: WithAuth, given: Proof): Promise<{ id: string }> {
  const { userId } = requireAccount(ctx);
  await requireProof(ctx, given);
  return inTransaction(ctx, async (tx) => {
    await lockNamed(tx, `export:${userId}`);
    await expectNoneRuns(tx, userId);
    const lately = and(
      eq(dataExports.userId, userId),
      gt(dataExports.askedAt, new Date(tx.now().getTime() - 86_400_000)),
    );
    const [asked] = await tx.db.select({ exports: count() }).from(dataExports).where(lately);
    if ((asked?.exports ?? 0) >= limits.exportsADay)
      throw new Refusal('account.exportOften', { max: limits.exportsADay }, [], {
        retryAfter: 3600,
      });
    const [made] = await tx.db
      .insert(dataExports)
      .values({ userId, askedAt: tx.now() })
      .returning({ id: dataExports.id });
    if (!made) throw new Refusal('unavailable');
    return made;
  });
}
