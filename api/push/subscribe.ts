import { eq, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { seal } from '../outbox/sealing.ts';
import { Refusal } from '../shared/errors.ts';
import { endpointHash, pushKeys } from './keys.ts';
import { isPushOn } from './reads.ts';
import { isKnownEndpoint } from './rules.ts';
import type { Subscription } from './schema.ts';

const { pushSubscriptions: b, session, user } = schema;

/**
 * Subscribes this browser to the account's alerts and favourites until its session ends; any other
 * session loses the address. Refuses `signInRequired`, `push.off`,
 * `push.unknownService`.
 */
export async function subscribe(ctx: Ctx, { renews, keys, ...given }: Subscription): Promise<void> {
  const { userId, sessionId } = requireAccount(ctx);
  if (sessionId === null) throw new Refusal('signInRequired');
  const { services } = ctx;
  if (!(await isPushOn(ctx))) throw new Refusal('push.off');
  if (!isKnownEndpoint(given.endpoint, services.env.PUSH_SERVICES))
    throw new Refusal('push.unknownService');
  const { publicKey } = await pushKeys(ctx);
  const { origin, hostname, pathname, search } = new URL(given.endpoint);
  const endpoint = origin + pathname + search;
  const hash = endpointHash(endpoint);
  const opened = JSON.stringify({ endpoint, keys, publicKey });
  await inTransaction(ctx, async ({ db, now }) => {
    const own = eq(session.id, sessionId);
    const [mine] = await db.select({ id: session.id }).from(session).where(own).for('update');
    const [known] = await db.select().from(b).where(eq(b.sessionId, sessionId));
    if (!mine || (renews && !known)) throw new Refusal('signInRequired');
    if (renews && known?.endpointHash === hash) return;
    await db.delete(b).where(or(eq(b.sessionId, sessionId), eq(b.endpointHash, hash)));
    const row = {
      sessionId,
      service: hostname,
      sealed: seal(services.secret, 'marche54 browser', hash, opened),
      madeAt: now(),
    };
    await db
      .insert(b)
      .values({ ...row, endpointHash: hash })
      .onConflictDoUpdate({ target: b.endpointHash, set: row });
    if (!renews) await db.update(user).set({ toldBy: 'push' }).where(eq(user.id, userId));
  });
}
