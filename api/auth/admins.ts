import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { WithAuth } from './context.ts';
import { createAccount, hashPassword, verifiedUser } from './create.ts';

/**
 * Makes an admin, or makes an existing account one; there is no other way in. Called by `bun run admin:create` and by the demo's first
 * start, never by a request. An existing account, which always has a proven address, keeps its password; every one of the demo, whose letters
 * prove nothing, gets the given one. Sessions and mailed links from before its new role end.
 */
export async function createAdmin(
  ctx: WithAuth,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<{ created: boolean; passwordSet: boolean }> {
  const address = email.trim().toLowerCase();
  // An account that nobody has proven is nobody's: its password would be a stranger's way in.
  const existing = await verifiedUser(ctx, address);
  const keepsPassword = existing && (existing.role === 'admin' || !ctx.services.env.demo);
  const passwordHash = keepsPassword ? '' : await hashPassword(ctx, password);
  await ctx.db.transaction(async (db) => {
    if (!existing) await createAccount({ ...ctx, db }, { email: address, name, passwordHash });
    const [user] = await db.update(schema.user).set({ role: 'admin' }).where(eq(schema.user.email, address)).returning();
    if (!user) throw new Error('The account could not be made');
    const { account, session, verification, signInLinks } = schema;
    if (existing && !keepsPassword)
      await db
        .update(account)
        .set({ password: passwordHash, updatedAt: ctx.now() })
        .where(and(eq(account.userId, user.id), eq(account.providerId, 'credential')));
    if (existing && existing.role !== 'admin') {
      await db.delete(session).where(eq(session.userId, user.id));
      await db.delete(verification).where(eq(verification.value, user.id));
      await db.delete(signInLinks).where(eq(signInLinks.userId, user.id));
    }
    await audit(
      { ...ctx, db },
      { action: 'admin.create', subjectKind: 'user', subjectId: user.id, before: { role: existing?.role ?? null }, after: { role: 'admin' } },
    );
  });
  return { created: !existing, passwordSet: !keepsPassword };
}
