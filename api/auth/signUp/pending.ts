import { and, count, desc, eq, gt, inArray } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { currentVersion } from '../../legal/version.ts';
import { heldUntil, mailHeld } from '../../people/leftEmails.ts';
import { notify } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import { keptMs } from '../../shared/retention/periods.ts';
import type { SignUpCtx, WithAuth } from '../context.ts';
import { hashPassword } from '../create.ts';
import { mayMail } from '../guards.ts';
import { withToken } from '../mails.ts';
import { guessInVain } from '../passwords/proof.ts';
import type { SignUp } from '../schema.ts';
import { hashToken, newToken } from '../tokens.ts';

const { pendingSignUps, signUpLinks } = schema;
export type PendingSignUp = typeof pendingSignUps.$inferSelect;

const day = 24 * 3_600_000;
const linkMs = day;
/** A sign-up outlives its links, so that a late person can ask for another. */
const waitsMs = keptMs('waitingSignUps');
/**
 * Above it a new sign-up is not kept, and none is pushed out: its mail links to the newest kept
 * one, which lets the mailbox's owner in with a new password.
 */
export const maxPending = 50;

const waiting = (ctx: Ctx, email: string) =>
  and(eq(pendingSignUps.email, email), gt(pendingSignUps.expiresAt, ctx.now()));

/** Keeps a sign-up until its address is proven; undefined if too many wait for it. */
export async function keepSignUp(
  ctx: WithAuth,
  { email, password, name, whatsapp, location, selling, next, agreed }: SignUp,
) {
  const passwordHash = await hashPassword(ctx, password);
  const [there] = await ctx.db
    .select({ waiting: count() })
    .from(pendingSignUps)
    .where(waiting(ctx, email));
  if ((there?.waiting ?? 0) >= maxPending) return undefined;
  const createdAt = ctx.now();
  const [row] = await ctx.db
    .insert(pendingSignUps)
    .values({
      email,
      passwordHash,
      name,
      whatsapp: (selling && whatsapp) || null,
      location: (selling && location) || null,
      selling,
      next: next ?? null,
      // Shown by an old tab: they are asked about the present one once they have signed in.
      agreedTo: agreed === (await currentVersion(ctx)).id ? agreed : null,
      language: ctx.language,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + waitsMs),
    })
    .returning();
  return row;
}

/** Newest first. */
export async function pendingOf(
  ctx: Ctx,
  email: string,
  ids?: (string | null)[],
): Promise<PendingSignUp[]> {
  const among =
    ids &&
    inArray(
      pendingSignUps.id,
      ids.filter((id) => id !== null),
    );
  return ctx.db
    .select()
    .from(pendingSignUps)
    .where(and(waiting(ctx, email), among))
    .orderBy(desc(pendingSignUps.createdAt), desc(pendingSignUps.id))
    .limit(maxPending);
}

async function meant(ctx: SignUpCtx, email: string): Promise<PendingSignUp | undefined> {
  const [own] = ctx.signUp ? await pendingOf(ctx, email, [ctx.signUp]) : [];
  return own ?? (await pendingOf(ctx, email))[0];
}

/**
 * Mails a link of a sign-up (24 hours, once), unless the mailbox had enough. Earlier links stay
 * good: no stranger can void them. The mail omits the name, which is unproven.
 */
export async function mailSignUpLink(ctx: Ctx, signUp: PendingSignUp): Promise<void> {
  if (!(await mayMail(ctx, 'sign-up', signUp.email))) return;
  const { email, id, language, selling } = signUp;
  const token = newToken();
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + linkMs);
  const kept = { expiresAt: new Date(createdAt.getTime() + waitsMs) };
  await inTransaction(ctx, async (tx) => {
    // Gone: the address was proven meanwhile.
    const waits = await tx.db
      .update(pendingSignUps)
      .set(kept)
      .where(eq(pendingSignUps.id, id))
      .returning({ id: pendingSignUps.id });
    if (waits.length === 0) return;
    await tx.db
      .insert(signUpLinks)
      .values({ tokenHash: hashToken(token), email, signUpId: id, createdAt, expiresAt });
    await notify(
      tx,
      { email, language },
      selling ? 'verifyEmail' : 'verifyMember',
      {},
      withToken('email-verification', token, selling ? 'seller' : 'member'),
    );
  });
}

/**
 * Mails another link of this browser's sign-up, else of the newest; without one, explains a held
 * address to its holder.
 */
export async function mailWaiting(ctx: SignUpCtx, email: string): Promise<void> {
  const signUp = await meant(ctx, email);
  if (signUp) return mailSignUpLink(ctx, signUp);
  const held = await heldUntil(ctx, email);
  if (held && (await mayMail(ctx, 'sign-up', email))) await mailHeld(ctx, email, held);
}

/**
 * Refuses a sign-in to an unproven address: `auth.emailNotVerified` if the password fits this
 * browser's sign-up or the newest, else `auth.invalidCredentials`. As many hashes either way as for
 * an account.
 */
export async function refuseUnproven(
  ctx: SignUpCtx,
  email: string,
  password: string,
): Promise<never> {
  const signUp = await meant(ctx, email);
  if (signUp && (await fits(ctx, signUp, password))) throw new Refusal('auth.emailNotVerified');
  if (!signUp) await guessInVain(ctx, password);
  throw new Refusal('auth.invalidCredentials');
}

export async function fits(
  ctx: WithAuth,
  signUp: PendingSignUp,
  password: string,
): Promise<boolean> {
  const { password: hasher } = await ctx.auth.$context;
  return hasher.verify({ hash: signUp.passwordHash, password });
}
