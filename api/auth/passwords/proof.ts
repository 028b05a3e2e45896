import { and, eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Ctx } from '../../core/context.ts';
import { countAttempt, giveBack } from '../../core/limits.ts';
import { Refusal } from '../../shared/errors.ts';
import type { WithAuth } from '../context.ts';
import { hashing, hashingAtOnce } from './hashing.ts';
import { formsOf, normalPassword } from './normal.ts';

/** Null if the account has no password. */
export async function passwordOf({ db }: Pick<Ctx, 'db'>, userId: string): Promise<string | null> {
  const { account } = schema;
  const [row] = await db
    .select({ hash: account.password })
    .from(account)
    .where(and(eq(account.userId, userId), eq(account.providerId, 'credential')));
  return row?.hash ?? null;
}

export async function passwordFits(
  ctx: WithAuth,
  userId: string,
  password: string,
): Promise<boolean> {
  const hash = await passwordOf(ctx, userId);
  const { password: hasher } = await ctx.auth.$context;
  if (hash) return hasher.verify({ hash, password });
  await guessInVain(ctx, password);
  return false;
}

/** Of random bytes; its parameters are those of every hash. */
const nobodys =
  '$argon2id$v=19$m=19456,t=2,p=1$SkWq+zY3hF9VrtEACN2Iq8b7+yS1jzRgbmHcR1A4wIM$wQWmkxVwhikbFtf3gA19Xkn503S6ErG8T09+aVcofls';

/** Takes as long as a wrong guess: timing must not reveal that there is no password. */
export async function guessInVain(ctx: WithAuth, password: string): Promise<void> {
  const { password: hasher } = await ctx.auth.$context;
  await hasher.verify({ hash: nobodys, password });
}

/**
 * Replaces a hash of before passwords were normalized, by a password that fits it. Never refused:
 * the code of the second factor is used up by now.
 */
export async function renewHash(ctx: WithAuth, userId: string, password: string): Promise<void> {
  if (formsOf(password).length === 1) return;
  const hash = await passwordOf(ctx, userId);
  if (!hash) return;
  const normal = normalPassword(password);
  const { password: hasher } = await ctx.auth.$context;
  const renewed = await hashingAtOnce(async () =>
    (await hashing.run(() => Bun.password.verify(normal, hash))) ? null : hasher.hash(normal),
  );
  if (!renewed) return;
  const { account } = schema;
  await ctx.db
    .update(account)
    .set({ password: renewed, updatedAt: ctx.now() })
    .where(and(eq(account.userId, userId), eq(account.password, hash)));
}

/**
 * Asks for the password again: an open session does not prove who uses it. Wrong ones stay counted;
 * right ones have their own limit. Refuses `auth.passwordWrong`, `auth.tooManyAttempts`.
 */
export async function askPassword(ctx: WithAuth, userId: string, password: string): Promise<void> {
  const key = `password:${userId}`;
  const at = await countAttempt(ctx, key, 10, 900);
  const fits = await passwordFits(ctx, userId, password).catch(async (error) => {
    // Not judged: the queue of hashes was full.
    await giveBack(ctx, key, at);
    throw error;
  });
  if (!fits) throw new Refusal('auth.passwordWrong');
  await giveBack(ctx, key, at);
  await countAttempt(ctx, `password-right:${userId}`, 60, 900);
}
