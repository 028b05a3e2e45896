import { and, count, desc, eq, gt, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import { heldUntil, mailHeld } from '../people/leftEmails.ts';
import { notify } from '../people/notify.ts';
import type { SignUpCtx, WithAuth } from './context.ts';
import { hashPassword } from './create.ts';
import { mayMail } from './guards.ts';
import { withToken } from './letters.ts';
import type { SignUp } from './schema.ts';
import { hashToken, newToken } from './tokens.ts';

const { pendingSignUps, signUpLinks } = schema;
export type PendingSignUp = typeof pendingSignUps.$inferSelect;

const day = 24 * 3_600_000;
const linkMs = day;
/** A sign-up outlives its links, so that whoever comes too late can ask for another one. */
const keptMs = 3 * day;
/**
 * How many sign-ups of one address wait at once. Above it a new one is not kept, and none that waits is pushed out: its letter is a link of
 * the newest that waits, which lets the owner of the mailbox in with a new password.
 */
export const maxPending = 50;

const waiting = (ctx: Ctx, email: string) =>
  and(eq(pendingSignUps.email, email), gt(pendingSignUps.expiresAt, ctx.now()));

/** Keeps a sign-up until its address is proven, and answers its id; nothing when too many wait for this address. */
export async function keepSignUp(
  ctx: WithAuth,
  { email, password, name, whatsapp, location, selling, next }: SignUp,
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
      language: ctx.language,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + keptMs),
    })
    .returning();
  return row;
}

/** The waiting sign-ups of an address among some, or all of them; the newest first. */
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

/** The sign-up of this browser's cookie; without one the newest. */
async function meant(ctx: SignUpCtx, email: string): Promise<PendingSignUp | undefined> {
  const [own] = ctx.signUp ? await pendingOf(ctx, email, [ctx.signUp]) : [];
  return own ?? (await pendingOf(ctx, email))[0];
}

/**
 * Mails a link of one sign-up (24 hours, once), unless its mailbox has had enough of them lately. Earlier ones stay good: nobody can make
 * somebody else's link worthless. The letter greets nobody: the name is a stranger's word.
 */
export async function mailSignUpLink(ctx: Ctx, signUp: PendingSignUp): Promise<void> {
  if (!(await mayMail(ctx, 'sign-up', signUp.email))) return;
  const { email, id, language, selling } = signUp;
  const token = newToken();
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + linkMs);
  const kept = { expiresAt: new Date(createdAt.getTime() + keptMs) };
  await inTransaction(ctx, async (tx) => {
    // Proven meanwhile: then there is nothing to prove any more.
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

/** A way in for whoever waits at this address: another link of this browser's sign-up, else of the newest. Nothing when none waits, but a word to the holder of an address that an account left lately. */
export async function mailWaiting(ctx: SignUpCtx, email: string): Promise<void> {
  const signUp = await meant(ctx, email);
  if (signUp) return mailSignUpLink(ctx, signUp);
  const held = await heldUntil(ctx, email);
  if (held && (await mayMail(ctx, 'sign-up', email))) await mailHeld(ctx, email, held);
}

/**
 * What a sign-in is told where the address has no proven account: that it waits for its proof, if the password is that of this browser's
 * sign-up or of the newest; otherwise what everybody is told. One password is checked either way, as for an account.
 */
export async function refuseUnproven(
  ctx: SignUpCtx,
  email: string,
  password: string,
): Promise<never> {
  const signUp = await meant(ctx, email);
  if (signUp && (await fits(ctx, signUp, password))) throw new Refusal('auth.emailNotVerified');
  if (!signUp) await hashPassword(ctx, password);
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
