import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import type { DemoPerson } from './signInProvider.ts';

/**
 * Says at the demo's provider who one is, or, without a person, that one would rather not. Answers where the browser goes on to; nothing where
 * the sign-in is over. Nobody becomes an admin in this way but that admin, as with their letters (decision 022). Refuses `notFound`, `forbidden`.
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
        .where(and(eq(user.email, person.email), eq(user.role, 'admin')))
    : [];
  if (admin && admin.id !== userIdOf(ctx.actor)) throw new Refusal('forbidden');
  return demoProvider.choose(uid, person);
}
