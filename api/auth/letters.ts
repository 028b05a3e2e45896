import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { notify } from '../people/notify.ts';
import type { AuthLetters } from './auth.ts';
import { homes, type Side } from './rules.ts';

/**
 * The path of a page that uses a mailed link. It leads to a page, never to an API route: opening it changes nothing. It tells members from
 * sellers by their home alone: the page that somebody wants is a stranger's word until the mailbox is proven, and stays with the link's row.
 */
export const withToken = (path: string, token: string, side: Side = 'seller'): string =>
  `${path}?token=${encodeURIComponent(token)}${side === 'member' ? `&next=${homes.member}` : ''}`;

/** The letters that better-auth asks to have sent. */
export function authLetters(ctx: () => Pick<Ctx, 'db' | 'now' | 'services'>): AuthLetters {
  return {
    async reset({ id }, token) {
      const { sellers } = schema;
      const [seller] = await ctx()
        .db.select({ id: sellers.id })
        .from(sellers)
        .where(eq(sellers.userId, id));
      await notify(
        ctx() as Ctx,
        { userId: id },
        'resetPassword',
        {},
        withToken('reset-password', token, seller ? 'seller' : 'member'),
      );
    },
  };
}
