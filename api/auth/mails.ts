import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';
import type { AuthMails } from './auth.ts';
import { homes, type Side } from './rules.ts';

/**
 * Path of the page that uses a mailed link; opening it changes nothing. Only `side` travels in it:
 * the wanted page is unproven input and stays in the link's row.
 */
export const withToken = (path: string, token: string, side: Side = 'seller'): string =>
  `${path}?token=${encodeURIComponent(token)}${side === 'member' ? `&next=${homes.member}` : ''}`;

export function authMails(ctx: () => Pick<Ctx, 'db' | 'now' | 'services'>): AuthMails {
  return {
    async reset({ id }, token) {
      const { sellers } = schema;
      const [seller] = await ctx()
        .db.select({ id: sellers.id })
        .from(sellers)
        .where(eq(sellers.userId, id));
      const path = withToken('reset-password', token, seller ? 'seller' : 'member');
      await inTransaction(ctx() as Ctx, (tx) =>
        notify(tx, { userId: id }, 'resetPassword', {}, path),
      );
    },
  };
}
