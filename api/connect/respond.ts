import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import { whatsappLink } from '../contact/rules.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { once } from '../core/idempotency.ts';
import { inTransaction } from '../core/transaction.ts';
import { spend } from '../credits/spend.ts';
import { notify } from '../people/notify.ts';
import { lockLeaving } from '../people/staying.ts';
import { lockPost, type Post, requireMember } from './post.ts';

/** `paid` is false where this member had paid before: the link opens again for free (product R35). `balance` is what is left after paying. */
export type Response = { reference: string; link: string; paid: boolean; balance: number | null };

/**
 * Answers a post: one credit for the owner's WhatsApp, once a member and post (product R35). The only answer that holds the number. A post that is
 * closed or taken down still opens for whoever paid. Refuses `signInRequired`, `account.leaving`, `connect.notFound`, `connect.own`, `connect.closed`,
 * `connect.noNumber` (nothing is charged), `credits.neededForResponse`, `credits.transactionFailed`.
 */
export async function respond(
  ctx: Ctx,
  reference: string,
  idempotencyKey: string,
): Promise<Response> {
  const userId = requireMember(ctx);
  return inTransaction(ctx, async (tx) => {
    const leaving = await lockLeaving(tx, userId);
    // Locked: of two taps of one member, the later finds the response of the first.
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

/** Answers whether anything was charged, and what is left then. */
async function payOnce(
  tx: Ctx,
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
