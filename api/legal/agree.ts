import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { keepAgreement } from './agreement.ts';
import { currentVersion } from './version.ts';

/**
 * Keeps that a person agreed to the version they were shown. Refuses `legal.changed` if another one
 * holds by now.
 */
export async function agree(ctx: Ctx, shown: string): Promise<{ version: string }> {
  const actor = requireAccount(ctx);
  return inTransaction(ctx, async (tx) => {
    const { id } = await currentVersion(tx);
    if (shown !== id) throw new Refusal('legal.changed');
    if (actor.agreedTo !== id) await keepAgreement(tx, actor.userId, id);
    return { version: id };
  });
}
