import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { keepAgreement } from './agreement.ts';
import { currentVersion } from './version.ts';

/**
 * Stores a person's agreement to the version they were shown. Refuses `legal.changed` if that is no
 * longer the present one.
 */
export async function agree(ctx: Ctx, shown: string): Promise<{ version: string }> {
  const { userId } = requireAccount(ctx);
  return inTransaction(ctx, async (tx) => {
    const { id } = await currentVersion(tx);
    if (shown !== id) throw new Refusal('legal.changed');
    await keepAgreement(tx, userId, id);
    return { version: id };
  });
}
