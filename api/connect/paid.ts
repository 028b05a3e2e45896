import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';

const { connectPosts: p, connectResponses: r, connectUpdates: u } = schema;

/**
 * Posts behind one's own spends, by ledger reference. Leaves out deleted posts, and others' hidden
 * ones.
 */
export async function paidFor(ctx: Ctx, ids: string[]) {
  const { db } = ctx;
  const { userId } = requireAccount(ctx);
  const post = { reference: p.reference, title: p.title };
  return unionAll(
    db
      .select({ id: p.id, ...post })
      .from(p)
      .where(and(inArray(p.id, ids), eq(p.userId, userId))),
    db
      .select({ id: r.id, ...post })
      .from(r)
      .innerJoin(p, eq(p.id, r.postId))
      .where(
        and(inArray(r.id, ids), eq(r.userId, userId), or(isNull(p.hiddenAt), eq(p.userId, userId))),
      ),
    db
      .select({ id: u.id, ...post })
      .from(u)
      .innerJoin(p, eq(p.id, u.postId))
      .where(and(inArray(u.id, ids), eq(p.userId, userId))),
  );
}
