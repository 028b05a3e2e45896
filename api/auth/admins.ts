import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import type { Auth } from './auth.ts';

/**
 * Makes an admin, or makes an existing account one; there is no other way in. Called by `bun run admin:create` and by the demo's first
 * start, never by a request. An account whose owner is known by its address keeps its password; any other, and every one of the demo, gets the
 * given one. Sessions and mailed links from before its new role end.
 */
export async function createAdmin(
  ctx: Ctx & { auth: Auth },
  { email, name, password }: { email: string; name: string; password: string },
): Promise<{ created: boolean; passwordSet: boolean }> {
  const address = email.trim().toLowerCase();
  const [existing] = await ctx.db.select().from(schema.user).where(eq(schema.user.email, address));
  if (!existing) await ctx.auth.api.signUpEmail({ body: { email: address, name, password } });
  // An address that nobody has proven may have been written in by anybody, with a password of theirs; the demo's letters prove nothing.
  const theirs = existing && (existing.role === 'admin' || (existing.emailVerified && !ctx.services.env.demo));
  const replaced = existing && !theirs ? await (await ctx.auth.$context).password.hash(password) : undefined;
  await ctx.db.transaction(async (db) => {
    const [user] = await db.update(schema.user).set({ role: 'admin', emailVerified: true }).where(eq(schema.user.email, address)).returning();
    if (!user) throw new Error('The account could not be made');
    const { account, session, verification, verificationLinks } = schema;
    if (replaced)
      await db
        .update(account)
        .set({ password: replaced, updatedAt: ctx.now() })
        .where(and(eq(account.userId, user.id), eq(account.providerId, 'credential')));
    if (existing && existing.role !== 'admin') {
      await db.delete(session).where(eq(session.userId, user.id));
      await db.delete(verification).where(eq(verification.value, user.id));
      await db.delete(verificationLinks).where(eq(verificationLinks.userId, user.id));
    }
    await audit(
      { ...ctx, db },
      { action: 'admin.create', subjectKind: 'user', subjectId: user.id, before: { role: existing?.role ?? null }, after: { role: 'admin' } },
    );
  });
  return { created: !existing, passwordSet: !existing || replaced !== undefined };
}
