import { asc, desc, eq, isNotNull, ne, sql } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { requireAdmin } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { mailbox } from '../../people/mailbox.ts';

/** Admins and moderators, and who of them has a second factor. */
export async function teamOf(ctx: Ctx) {
  requireAdmin(ctx);
  const { user, secondFactors: f } = schema;
  const rows = await ctx.db
    .select({
      id: user.id,
      name: user.name,
      email: mailbox,
      role: user.role,
      factor: sql<boolean>`${isNotNull(f.confirmedAt)}`,
    })
    .from(user)
    .leftJoin(f, eq(f.userId, user.id))
    .where(ne(user.role, 'member'))
    .orderBy(desc(eq(user.role, 'admin')), asc(user.name), user.id);
  return { team: rows };
}
