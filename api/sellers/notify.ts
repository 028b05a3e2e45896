import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { compose } from '../core/outbox.ts';
import { inTransaction } from '../core/transaction.ts';
import type { SellerNotification } from './schema.ts';
import { languageOf, lockSeller } from './suspend.ts';

export const notificationKind = 'sellerNotification';

/**
 * send-notification (product §7, product R25): writes an admin's message to the outbox and answers its id there, by which the
 * admin's page asks whether a channel has accepted it. Refuses `sellers.notFound`.
 */
export async function notifySeller(ctx: Ctx, sellerId: string, { subject, message }: SellerNotification): Promise<{ id: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const seller = await lockSeller(tx, sellerId);
    const language = await languageOf(tx, seller);
    const letter = compose({ name: seller.name, language, kind: notificationKind, params: { subject, message } });
    // Not by `writeMail`, which does not tell the id.
    const [row] = await tx.db
      .insert(schema.outbox)
      .values({
        channel: 'email',
        recipient: seller.email,
        language,
        kind: notificationKind,
        subject: letter.subject,
        bodyText: letter.text,
        bodyHtml: letter.html,
        sellerId,
        nextAttemptAt: tx.now(),
        createdAt: tx.now(),
      })
      .returning({ id: schema.outbox.id });
    if (!row) throw new Refusal('unavailable');
    await audit(tx, { action: 'seller.notify', subjectKind: 'seller', subjectId: sellerId, after: { subject, message, outboxId: row.id } });
    return row;
  });
}
