import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { WithAuth } from './context.ts';
import { createAccount, hashPassword, verifiedUser } from './create.ts';

/**
 * Makes an admin, or makes an existing account one (decision 0: there is no other way in). Called by `bun run admin:create` and by
 * the demo's first start, never by a request. An existing account whose address is proven keeps its password.
 */
export async function createAdmin(ctx: WithAuth, { email, name, password }: { email: string; name: string; password: string }): Promise<{ created: boolean }> {
  const address = email.trim().toLowerCase();
  // An account that nobody has proven is nobody's: its password would be a stranger's way in.
  const existing = await verifiedUser(ctx, address);
  const passwordHash = existing ? '' : await hashPassword(ctx, password);
  await ctx.db.transaction(async (db) => {
    if (!existing) await createAccount({ ...ctx, db }, { email: address, name, passwordHash });
    const [user] = await db.update(schema.user).set({ role: 'admin' }).where(eq(schema.user.email, address)).returning();
    if (!user) throw new Error('The account could not be made');
    await audit(
      { ...ctx, db },
      { action: 'admin.create', subjectKind: 'user', subjectId: user.id, before: { role: existing?.role ?? null }, after: { role: 'admin' } },
    );
  });
  return { created: !existing };
}
