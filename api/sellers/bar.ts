import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Tx, userIdOf } from '../core/context.ts';
import { emailsLeftBy } from '../people/leftEmails.ts';
import { mailbox } from '../people/mailbox.ts';
import { normalEmail } from '../shared/email.ts';
import type { SellerRow } from './locks.ts';

/** Bars a seller's addresses and proven number until {@link unbar}; returns them. */
export async function barSeller(tx: Tx, seller: SellerRow): Promise<string[]> {
  const addresses = await addressesOf(tx, seller);
  if (addresses.length === 0) return addresses;
  await tx.db
    .insert(schema.barredEmails)
    .values(addresses.map((email) => ({ email, barredAt: tx.now(), barredBy: userIdOf(tx.actor) })))
    .onConflictDoNothing();
  return addresses;
}

/**
 * Addresses of the seller and the account, those left lately, and the proven number, which may be
 * all that an account from a chat has. A number only typed may be a stranger's.
 */
async function addressesOf(tx: Tx, seller: SellerRow): Promise<string[]> {
  const { user } = schema;
  const [account] = seller.userId
    ? await tx.db.select({ email: mailbox }).from(user).where(eq(user.id, seller.userId))
    : [];
  const left = seller.userId ? await emailsLeftBy(tx, seller.userId) : [];
  const all = [seller.email, account?.email, ...left, seller.verifiedWhatsapp].filter(
    (one) => typeof one === 'string',
  );
  return [...new Set(all.map(normalEmail))];
}
