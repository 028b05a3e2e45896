import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { WithAuth } from '../auth/context.ts';
import { askPassword, passwordOf } from '../auth/proof.ts';
import type { Actor, Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { limits } from './rules.ts';
import type { Proof } from './schema.ts';

/** Whoever acts, with an account. Refuses `signInRequired`. */
export function accountOf({ actor }: Pick<Ctx, 'actor'>): Extract<Actor, { userId: string }> {
  if (!('userId' in actor)) throw new Refusal('signInRequired');
  return actor;
}

/** Whether the present session is so young that nobody else can have sat down at it. */
export async function isFresh({
  db,
  actor,
  now,
}: Pick<Ctx, 'db' | 'actor' | 'now'>): Promise<boolean> {
  const { session } = schema;
  const { sessionId } = accountOf({ actor });
  if (sessionId === null) return false;
  const [row] = await db
    .select({ createdAt: session.createdAt })
    .from(session)
    .where(eq(session.id, sessionId));
  return row !== undefined && now().getTime() - row.createdAt.getTime() <= limits.freshMs;
}

/**
 * What an act must show that cannot be left to whoever finds an open session: the password, or, where the account has none, a sign-in of the
 * last minutes. Refuses `auth.passwordWrong`, `auth.tooManyAttempts`, `account.signInAgain`, and `validation` when the password is missing.
 */
export async function requireProof(ctx: WithAuth, { password }: Proof): Promise<void> {
  const { userId } = accountOf(ctx);
  if (await passwordOf(ctx, userId)) {
    if (password === undefined)
      throw new Refusal('validation', {}, [{ path: 'password', code: 'required' }]);
    return askPassword(ctx, userId, password);
  }
  if (!(await isFresh(ctx)))
    throw new Refusal('account.signInAgain', { minutes: limits.freshMs / 60_000 });
}
