import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { readPhone } from '../shared/contact/readPhone.ts';
import { normalEmail } from '../shared/email.ts';
import { Refusal } from '../shared/errors.ts';

/** Unbars an address (product R20). Refuses `notFound` if it is not barred. */
export async function unbar(ctx: Ctx, email: string): Promise<{ email: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { barredEmails } = schema;
    const [gone] = await tx.db
      .delete(barredEmails)
      .where(eq(barredEmails.email, readPhone(email) ?? normalEmail(email)))
      .returning();
    if (!gone) throw new Refusal('notFound');
    await audit(tx, {
      action: 'seller.unbar',
      subjectKind: 'user',
      subjectId: gone.email,
      before: { barredAt: gone.barredAt, barredBy: gone.barredBy },
      after: { barred: false },
    });
    return { email: gone.email };
  });
}
