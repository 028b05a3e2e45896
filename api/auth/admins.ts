import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import type { Auth } from './auth.ts';

/**
 * Makes an admin, or makes an existing account one (decision 0: there is no other way in). Called by `bun run admin:create` and by
 * the demo's first start, never by a request. An existing account keeps its password unless one is given.
 */
export async function createAdmin(
  ctx: Ctx & { auth: Auth },
  { email, name, password }: { email: string; name: string; password: string },
): Promise<{ created: boolean }> {
  const address = email.trim().toLowerCase();
  const [existing] = await ctx.db.select().from(schema.user).where(eq(schema.user.email, address));
  if (!existing) await ctx.auth.api.signUpEmail({ body: { email: address, name, password } });
  await ctx.db.transaction(async (db) => {
    const [user] = await db.update(schema.user).set({ role: 'admin', emailVerified: true }).where(eq(schema.user.email, address)).returning();
    if (!user) throw new Error('The account could not be made');
    await audit(
      { ...ctx, db },
      { action: 'admin.create', subjectKind: 'user', subjectId: user.id, before: { role: existing?.role ?? null }, after: { role: 'admin' } },
    );
  });
  return { created: !existing };
}
