import { and, eq } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { leftBySuspended } from '../people/leftEmails.ts';
import { requireStaying } from '../people/staying.ts';
import { normalEmail } from '../shared/email.ts';
import { Refusal } from '../shared/errors.ts';
import { regionOf } from '../shared/places/regionOf.ts';
import { countChange } from './changes.ts';
import type { Profile } from './schema.ts';
import { keepShopSlug } from './slugs.ts';

/**
 * Refuses `sellers.barred` for an address or number of a deleted seller, or an address that a
 * suspended one left.
 * @param userId the account that may have its own former address again
 */
export async function refuseBarred(ctx: Ctx, address: string, userId?: string): Promise<void> {
  if (await isBarred(ctx, address, userId)) throw new Refusal('sellers.barred');
}

export async function isBarred({ db }: Ctx, address: string, userId?: string): Promise<boolean> {
  const { barredEmails } = schema;
  const email = normalEmail(address);
  return (
    (await db.$count(barredEmails, eq(barredEmails.email, email))) > 0 ||
    leftBySuspended({ db }, email, userId)
  );
}

/**
 * Creates a seller profile. Refuses `sellers.barred` (product R20),
 * `account.leaving`, `sellers.profileExists`, and `forbidden` to a moderator.
 */
export async function createProfile(
  tx: Tx,
  account: { userId: string; email: string | null },
  profile: Profile,
): Promise<{ id: string }> {
  const { sellers, user } = schema;
  // An account without a mailbox is known by its number.
  await refuseBarred(tx, account.email ?? profile.whatsapp ?? '');
  await requireStaying(tx, account.userId);
  // Behind that lock: moderators would review themselves (product R60).
  const [role] = await tx.db
    .select({ of: user.role })
    .from(user)
    .where(eq(user.id, account.userId));
  if (role?.of === 'moderator') throw new Refusal('forbidden');
  try {
    const [row] = await tx.db
      .insert(sellers)
      .values({
        userId: account.userId,
        email: account.email,
        name: profile.name,
        whatsapp: profile.whatsapp ?? null,
        location: profile.location ?? null,
        region: regionOf(profile.location) ?? null,
        businessName: profile.businessName || null,
        createdAt: tx.now(),
        updatedAt: tx.now(),
      })
      .returning({ id: sellers.id });
    if (!row) throw tooLate(tx, 'changed');
    if (profile.businessName) await keepShopSlug(tx, row.id, profile.businessName);
    // An account that set a new password at its first link has no name yet.
    await tx.db
      .update(user)
      .set({ name: profile.name })
      .where(and(eq(user.id, account.userId), eq(user.name, '')));
    return row;
  } catch (error) {
    if (violatedConstraint(error)?.includes('user_id')) throw new Refusal('sellers.profileExists');
    throw error;
  }
}

/**
 * Creates or completes the actor's profile (product §2 dashboard and upload). An empty field keeps
 * its value; a verification stays with its number (decision 028). An empty shop's name takes the
 * shop's page away. Refuses `sellers.shopRenamedOften`.
 */
export async function completeProfile(ctx: Ctx, profile: Profile): Promise<{ id: string }> {
  const actor = requireAccount(ctx);
  const existing = 'seller' in actor ? actor.seller : null;
  if (!existing) {
    await requireAgreement(ctx);
    return inTransaction(ctx, (tx) => createProfile(tx, actor, profile));
  }
  if (existing.suspended) throw new Refusal('sellers.suspended');
  if (existing.leavingAt) throw new Refusal('account.leaving');
  await countChange(ctx);
  const { sellers } = schema;
  const { businessName } = profile;
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .update(sellers)
      .set({
        name: profile.name,
        ...(profile.whatsapp ? { whatsapp: profile.whatsapp } : {}),
        ...(profile.location
          ? { location: profile.location, region: regionOf(profile.location) ?? null }
          : {}),
        ...(businessName === undefined ? {} : { businessName: businessName || null }),
        updatedAt: tx.now(),
      })
      .where(eq(sellers.id, existing.id));
    if (businessName !== undefined) await keepShopSlug(tx, existing.id, businessName || null);
  });
  return { id: existing.id };
}
