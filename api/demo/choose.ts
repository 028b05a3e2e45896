import { and, eq, ne } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import type { DemoPerson } from '../core/demoPorts.ts';
import { Refusal } from '../shared/errors.ts';

/**
 * Completes the demo sign-in, or cancels it (null). Returns the next URL; undefined if it expired.
 * Only the signed-in admin may choose that admin (decision 022). Refuses `notFound`, `forbidden`.
 */
export async function chooseDemoPerson(
  ctx: Ctx,
  uid: string,
  person: DemoPerson | null,
): Promise<string | undefined> {
  const { demoProvider } = ctx.services;
  if (!demoProvider) throw new Refusal('notFound');
  const { user } = schema;
  const [admin] = person
    ? await ctx.db
        .select({ id: user.id })
        .from(user)
        .where(and(eq(user.email, person.email), ne(user.role, 'member')))
    : [];
  if (admin && admin.id !== userIdOf(ctx.actor)) throw new Refusal('forbidden');
  return demoProvider.choose(uid, person);
}
