import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { confirmedFactor, removeFactor } from './secondFactor.ts';

const { user } = schema;

/**
 * Removes a lost factor; false if there was none. Never called by a request, only by
 * `bun run admin:create --reset-second-factor`.
 */
export async function resetSecondFactor(ctx: Ctx, email: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const [row] = await tx.db.select({ id: user.id }).from(user).where(eq(user.email, email));
    if (!row) throw new Error(`Nobody has the address ${email}`);
    if (!(await confirmedFactor(tx, row.id))) return false;
    await removeFactor(tx, row.id, 'admin.factor.reset');
    return true;
  });
}
