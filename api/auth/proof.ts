import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { countAttempt } from '../core/limits.ts';
import type { WithAuth } from './context.ts';

/** The hash of an account's password; nothing where it signs in by others alone. */
export async function passwordOf({ db }: Pick<Ctx, 'db'>, userId: string): Promise<string | null> {
  const { account } = schema;
  const [row] = await db
    .select({ hash: account.password })
    .from(account)
    .where(and(eq(account.userId, userId), eq(account.providerId, 'credential')));
  return row?.hash ?? null;
}

export async function passwordFits(ctx: WithAuth, userId: string, password: string): Promise<boolean> {
  const hash = await passwordOf(ctx, userId);
  const { password: hasher } = await ctx.auth.$context;
  return hash ? hasher.verify({ hash, password }) : false;
}

/** An open session is no proof of who sits there. Refuses `auth.passwordWrong`, `auth.tooManyAttempts`. */
export async function askPassword(ctx: WithAuth, userId: string, password: string): Promise<void> {
  await countAttempt(ctx, `password:${userId}`, 10, 900);
  if (!(await passwordFits(ctx, userId, password))) throw new Refusal('auth.passwordWrong');
}
