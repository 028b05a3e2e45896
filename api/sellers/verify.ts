import { asc, eq, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin, requireSeller } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, inChat, type Tx } from '../core/context.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import type { SellerRow } from './locks.ts';
import { recordTaking, requireTakeable } from './takings.ts';
import { type Verified, withdrawVerification } from './verification.ts';

/**
 * `number` is the one seen or proven: one changed meanwhile is not verified by mistake. An admin
 * may `move` it from another seller; its phone may `takeBack` after a warning.
 */
export type Verification = { number: string | null } & (
  | { verifiedBy?: 'admin'; move?: boolean; takeBack?: never }
  | { verifiedBy: 'chat'; takeBack?: boolean; move?: never }
);

/**
 * Verifies the number of a seller's profile (decision 028), by an admin or the seller's own chat,
 * and notifies. Another holder of the number loses it and is notified. Refuses `sellers.notFound`;
 * `conflict` if already verified or changed; `sellers.numberMissing`; `sellers.numberVerified`
 * without a move; by chat `chats.numberProven` without a take-back, and `sellers.numberByTeam`
 * where only an admin may move it.
 */
export async function verifySeller(
  ctx: Ctx,
  sellerId: string,
  { number, verifiedBy = 'admin', move = false, takeBack = false }: Verification,
): Promise<Verified> {
  requireVerifier(ctx, sellerId, { number, verifiedBy });
  const mayMove = move && verifiedBy === 'admin' && ctx.actor.kind === 'admin';
  return inTransaction(ctx, async (tx) => {
    const { sellers } = schema;
    // Serializes sellers of one number; then both rows in one order, or two moves deadlock.
    if (number) await lockNamed(tx, `verified-number:${number}`);
    const rows = await tx.db
      .select()
      .from(sellers)
      .where(
        or(eq(sellers.id, sellerId), number ? eq(sellers.verifiedWhatsapp, number) : undefined),
      )
      .orderBy(asc(sellers.id))
      .for('update');
    const seller = rows.find((row) => row.id === sellerId);
    const holder = rows.find((row) => row.id !== sellerId);
    if (!seller) throw new Refusal('sellers.notFound');
    if (!seller.whatsapp) throw new Refusal('sellers.numberMissing');
    if (seller.whatsapp !== number) throw tooLate(tx, 'numberChanged');
    if (seller.verifiedWhatsapp === number) throw tooLate(tx, 'verified');
    if (holder && number) {
      if (verifiedBy === 'chat') await takeFrom(tx, holder, { number, sellerId, takeBack });
      else if (!mayMove) throw new Refusal('sellers.numberVerified', { name: holder.name });
      else {
        await withdrawVerification(tx, holder, { movedTo: sellerId });
        await notify(tx, { sellerId: holder.id }, 'verificationMoved', {}, 'seller/dashboard');
      }
    }
    const now = tx.now();
    await tx.db
      .update(sellers)
      .set({
        verified: true,
        verifiedBy,
        verifiedAt: now,
        verifiedWhatsapp: number,
        updatedAt: now,
      })
      .where(eq(sellers.id, sellerId));
    await audit(tx, {
      action: 'seller.verify',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: { verified: seller.verified },
      after: { verified: true, verifiedBy, ...(holder ? { movedFrom: holder.id } : {}) },
    });
    await notify(tx, { sellerId }, 'sellerVerified', {}, 'seller/dashboard');
    return { id: sellerId, verified: true, verifiedBy };
  });
}

type Taking = { number: string; sellerId: string; takeBack: boolean };

/**
 * Moves a number because its phone proved it. The holder keeps the listings and is notified by mail
 * and in chats.
 */
async function takeFrom(
  tx: Tx,
  holder: SellerRow,
  { number, sellerId, takeBack }: Taking,
): Promise<void> {
  await requireTakeable(tx, holder, number);
  if (!takeBack) throw new Refusal('chats.numberProven');
  await withdrawVerification(tx, holder, { movedTo: sellerId, by: 'phone' });
  await recordTaking(tx, holder.id, number);
  await notify(tx, { sellerId: holder.id }, 'numberTaken', {}, 'seller/dashboard');
}

/**
 * Accepts only a number that the transport delivered in the seller's own chat: no HTTP request has
 * one.
 */
function requireVerifier(
  ctx: Ctx,
  sellerId: string,
  { number, verifiedBy }: Pick<Verification, 'number' | 'verifiedBy'>,
): void {
  if (verifiedBy === 'chat') {
    const delivered = inChat(ctx) && number !== null && ctx.client.number === number;
    if (!delivered || requireSeller(ctx).id !== sellerId) throw new Refusal('forbidden');
  } else requireAdmin(ctx);
}
