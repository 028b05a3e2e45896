import type { Db } from '../../db/client.ts';
import type { Actor } from '../core/context.ts';
import { actorOfAccount } from '../people/actor.ts';
import { isProven } from '../people/mailbox.ts';
import { Refusal } from '../shared/errors.ts';
import type { Auth } from './auth.ts';

/**
 * Reads the actor from the session cookie alone (product R18), per request: a role change,
 * suspension or sign-out takes effect at once.
 */
export async function actorOf(
  auth: Auth,
  db: Db,
  headers: Headers,
): Promise<{ actor: Actor; cookies: string[] }> {
  if (!headers.get('cookie')?.includes('marche54.session_token='))
    return { actor: { kind: 'visitor' }, cookies: [] };
  const { response, headers: answered } = await auth.api
    .getSession({ headers, returnHeaders: true })
    .catch((cause) => {
      throw new Refusal('unavailable', {}, [], { cause });
    });
  const cookies = answered.getSetCookie();
  if (!response || !isProven(response.user)) return { actor: { kind: 'visitor' }, cookies };
  const { user, session } = response;
  return { actor: await actorOfAccount(db, user, session.id), cookies };
}
