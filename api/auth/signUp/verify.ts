import { and, eq, isNull } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../../db/client.ts';
import { openToEveryone } from '../../core/access.ts';
import { countAttempt } from '../../core/limits.ts';
import { inTransaction } from '../../core/transaction.ts';
import { Refusal } from '../../shared/errors.ts';
import { ownPath } from '../../shared/ownPath.ts';
import type { SignUpCtx, WithCookies } from '../context.ts';
import { createAccount, hashPassword, verifiedUser } from '../create.ts';
import { forgetAttempts } from '../guards.ts';
import { openSession } from '../openSession.ts';
import { homes } from '../rules.ts';
import { hashToken } from '../tokens.ts';
import { fits, type PendingSignUp, pendingOf } from './pending.ts';
import { tryProfile } from './tryProfile.ts';

const { signUpLinks } = schema;
type Proof = { token: string; password?: string | undefined; newPassword?: string | undefined };

/**
 * Uses a verification link, once: creates the account, signs in, ends other sign-ups of the
 * address. The link proves the mailbox, not who wrote the sign-up: its password and profile count
 * only with its browser's cookie or its password; anyone else sets a new password. A refused link
 * stays good. Refuses `auth.linkExpired`, `auth.linkUsed` (also for a proven address),
 * `auth.linkInvalid`, `auth.signUpPasswordNeeded`, `auth.signUpPasswordWrong`,
 * `auth.tooManyAttempts`.
 */
export async function verifyEmail(
  ctx: SignUpCtx,
  proof: Proof,
): Promise<WithCookies<{ email: string; profileFailed: boolean; next: string }>> {
  openToEveryone(ctx);
  const tokenHash = hashToken(proof.token);
  const [link] = await ctx.db
    .select()
    .from(signUpLinks)
    .where(eq(signUpLinks.tokenHash, tokenHash));
  if (!link) throw new Refusal('auth.linkInvalid');
  const { email } = link;
  if (link.usedAt || (await verifiedUser(ctx, email))) throw new Refusal('auth.linkUsed');
  if (link.expiresAt <= ctx.now()) throw new Refusal('auth.linkExpired');
  const signUp = await claimed(ctx, link, proof);
  // The page to go on to grants no access, so it also comes from a sign-up that was not claimed.
  const whence = signUp ?? (await pendingOf(ctx, email, [link.signUpId]))[0];
  const passwordHash = signUp?.passwordHash ?? (await hashPassword(ctx, proof.newPassword ?? ''));
  const made = await inTransaction(ctx, async (tx) => {
    const mine = and(eq(signUpLinks.tokenHash, tokenHash), isNull(signUpLinks.usedAt));
    // Of two requests with one link, the later waits here and finds it used.
    const taken = await tx.db
      .update(signUpLinks)
      .set({ usedAt: tx.now() })
      .where(mine)
      .returning({ email: signUpLinks.email });
    if (taken.length === 0 || (await verifiedUser(tx, email))) throw new Refusal('auth.linkUsed');
    const { id } = await createAccount(
      { ...tx, auth: ctx.auth },
      {
        ...{ email, name: signUp?.name ?? '', language: signUp?.language ?? tx.language },
        passwordHash,
        agreed: signUp?.agreedTo ? { to: signUp.agreedTo, at: signUp.createdAt } : undefined,
      },
    );
    const profileFailed = signUp?.selling
      ? await tryProfile(tx, { id, email }, profileOf(signUp))
      : false;
    await forgetAttempts(tx, email);
    return { id, profileFailed };
  }).catch((error) => {
    // Another link, or Google, has just made the account.
    throw violatedConstraint(error)?.startsWith('user_email')
      ? new Refusal('auth.linkUsed')
      : error;
  });
  const next = ownPath(whence?.next, whence?.selling === false ? homes.member : homes.seller);
  return {
    value: { email, profileFailed: made.profileFailed, next },
    cookies: await openSession(ctx, made.id),
  };
}

const profileOf = ({ name, whatsapp, location }: PendingSignUp) => ({
  name,
  whatsapp: whatsapp ?? undefined,
  location: location ?? undefined,
});

/** Sign-up proven to be the visitor's; undefined if they set a new password. */
async function claimed(
  ctx: SignUpCtx,
  link: { tokenHash: string; email: string; signUpId: string | null },
  proof: Proof,
): Promise<PendingSignUp | undefined> {
  if (proof.newPassword !== undefined) return undefined;
  const known = await pendingOf(ctx, link.email, [ctx.signUp, link.signUpId]);
  const own = known.find(({ id }) => id === ctx.signUp);
  if (proof.password === undefined) {
    if (own && own.id === link.signUpId) return own;
    throw new Refusal('auth.signUpPasswordNeeded');
  }
  await countAttempt(ctx, `verify:${link.tokenHash}`, 10, 900);
  // This browser's first: a stranger may have used the same password.
  const inOrder = [own, ...known.filter((one) => one !== own)].filter((one) => one !== undefined);
  for (const signUp of inOrder) if (await fits(ctx, signUp, proof.password)) return signUp;
  throw new Refusal('auth.signUpPasswordWrong');
}
