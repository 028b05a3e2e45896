import { and, eq } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { normalEmail } from '../core/email.ts';
import { Refusal } from '../core/errors.ts';
import { tooLate } from '../core/meanwhile.ts';
import { leftBySuspended } from '../people/leftEmails.ts';
import { requireStaying } from '../people/staying.ts';
import { countChange } from './changes.ts';
import type { Profile } from './schema.ts';

/**
 * Refuses `sellers.barred` for an address, or a number, whose seller an admin deleted, and for one that a suspended seller left.
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

/** Makes the seller profile of an account. Refuses `sellers.barred` for an address whose seller an admin deleted (product R20), `account.leaving`, `sellers.profileExists` otherwise. */
export async function createProfile(
  ctx: Ctx,
  account: { userId: string; email: string | null },
  profile: Profile,
): Promise<{ id: string }> {
  const { sellers, user } = schema;
  // Without a mailbox it is the number that the account is known by.
  await refuseBarred(ctx, account.email ?? profile.whatsapp ?? '');
  await requireStaying(ctx, account.userId);
  try {
    const [row] = await ctx.db
      .insert(sellers)
      .values({
        userId: account.userId,
        email: account.email,
        name: profile.name,
        whatsapp: profile.whatsapp ?? null,
        location: profile.location ?? null,
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      })
      .returning({ id: sellers.id });
    if (!row) throw tooLate(ctx, 'changed');
    // Whoever chose a new password at the first link has not told the account a name yet.
    await ctx.db
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
 * Completes or makes the acting person's profile (product §2 dashboard and upload). A field left empty keeps what was there;
 * a verification stays with the number that was verified (decision 028).
 */
export async function completeProfile(ctx: Ctx, profile: Profile): Promise<{ id: string }> {
  const { actor } = ctx;
  if (!('userId' in actor)) throw new Refusal('signInRequired');
  const existing = 'seller' in actor ? actor.seller : null;
  if (!existing) return createProfile(ctx, actor, profile);
  if (existing.suspended) throw new Refusal('sellers.suspended');
  if (existing.leavingAt) throw new Refusal('account.leaving');
  await countChange(ctx);
  const { sellers } = schema;
  await ctx.db
    .update(sellers)
    .set({
      name: profile.name,
      ...(profile.whatsapp ? { whatsapp: profile.whatsapp } : {}),
      ...(profile.location ? { location: profile.location } : {}),
      updatedAt: ctx.now(),
    })
    .where(eq(sellers.id, existing.id));
  return { id: existing.id };
}
