import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import { whatsappLink } from '../contact/rules.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { once } from '../core/idempotency.ts';
import { inTransaction } from '../core/transaction.ts';
import { spend } from '../credits/spend.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { notify } from '../people/notify.ts';
import { lockLeaving } from '../people/staying.ts';
import { Refusal } from '../shared/errors.ts';
import { lockPost, type Post } from './post.ts';

/** `paid` is false and `balance` null if the member had paid before (product R35). */
export type Response = { reference: string; link: string; paid: boolean; balance: number | null };

/**
 * Sells the owner's WhatsApp link for one credit, once per member and post (product R35); no other
 * answer contains the number. It opens again for members who paid, even if the post was closed or
 * hidden since. Refuses `signInRequired`, `account.leaving`, `connect.notFound`, `connect.own`,
 * `connect.closed`, `connect.noNumber` (free of charge), `credits.neededForResponse`,
 * `credits.transactionFailed`.
 */
export async function respond(
  ctx: Ctx,
  reference: string,
  idempotencyKey: string,
): Promise<Response> {
  const { userId } = requireAccount(ctx);
  await requireAgreement(ctx);
  return inTransaction(ctx, async (tx) => {
    const leaving = await lockLeaving(tx, userId);
    // The lock makes the second of two taps find the first one's response.
    const post = await lockPost(tx, reference);
    if (post.userId === userId) throw new Refusal('connect.own');
    const charged = await once(tx, userId, idempotencyKey, { respond: reference }, () =>
      payOnce(tx, post, userId, leaving),
    );
    if (!post.contactWhatsapp) throw new Refusal('connect.noNumber');
    const greeting = translator(tx.language, 'connect')('greeting', {
      title: post.title,
      reference,
    });
    return { reference, link: whatsappLink(post.contactWhatsapp, greeting), ...charged };
  });
}

async function payOnce(
  tx: Tx,
  post: Post,
  userId: string,
  leaving: boolean,
): Promise<Pick<Response, 'paid' | 'balance'>> {
  const { connectResponses: r } = schema;
  const [before] = await tx.db
    .select({ id: r.id })
    .from(r)
    .where(and(eq(r.postId, post.id), eq(r.userId, userId)));
  if (before) return { paid: false, balance: null };
  if (leaving) throw new Refusal('account.leaving');
  if (post.hiddenAt) throw new Refusal('connect.notFound');
  if (post.status !== 'active') throw new Refusal('connect.closed');
  if (!post.contactWhatsapp) throw new Refusal('connect.noNumber');
  const id = randomUUID();
  await tx.db.insert(r).values({ id, postId: post.id, userId, createdAt: tx.now() });
  const balance = await spend(tx, 'response', id);
  await notify(
    tx,
    { userId: post.userId },
    'postResponse',
    { title: post.title },
    `connect/${post.reference}`,
  );
  return { paid: true, balance };
}
