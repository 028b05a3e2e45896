import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { WithAuth } from '../auth/context.ts';
import { askPassword, passwordOf } from '../auth/passwords/proof.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';
import { limits } from './rules.ts';
import type { Proof } from './schema.ts';

/** True if the session is too young for anyone else to have sat down at it. */
export async function isFresh({
  db,
  actor,
  now,
}: Pick<Ctx, 'db' | 'actor' | 'now'>): Promise<boolean> {
  const { session } = schema;
  const { sessionId } = requireAccount({ actor });
  if (sessionId === null) return false;
  const [row] = await db
    .select({ createdAt: session.createdAt })
    .from(session)
    .where(eq(session.id, sessionId));
  return row !== undefined && now().getTime() - row.createdAt.getTime() <= limits.freshMs;
}

/**
 * Re-authenticates for sensitive actions: by password, or without one by a sign-in of the last
 * minutes. Refuses `auth.passwordWrong`, `auth.tooManyAttempts`, `account.signInAgain`, and
 * `validation` for a missing password.
 */
export async function requireProof(ctx: WithAuth, { password }: Proof): Promise<void> {
  const { userId } = requireAccount(ctx);
  if (await passwordOf(ctx, userId)) {
    if (password === undefined)
      throw new Refusal('validation', {}, [{ path: 'password', code: 'required' }]);
    return askPassword(ctx, userId, password);
  }
  if (!(await isFresh(ctx)))
    throw new Refusal('account.signInAgain', { minutes: limits.freshMs / 60_000 });
}
