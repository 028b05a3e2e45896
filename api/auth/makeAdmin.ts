import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import { normalEmail } from '../shared/email.ts';
import type { WithAuth } from './context.ts';
import { createAccount, hashPassword, verifiedUser } from './create.ts';
import { endWaysIn } from './endWaysIn.ts';

const { account, user } = schema;

export type NewAdmin = { email: string; name: string; password: string };
export type Made = { created: boolean; passwordSet: boolean };

/**
 * Creates an admin or promotes an account; never called by a request. A promoted account keeps its
 * password, except in the demo, where mail proves nothing; sessions and mailed links end.
 */
export async function makeAdmin(ctx: WithAuth, { email, name, password }: NewAdmin): Promise<Made> {
  const address = normalEmail(email);
  // An unproven account's password could be a stranger's.
  const existing = await verifiedUser(ctx, address);
  const keepsPassword = existing && (existing.role === 'admin' || !ctx.services.env.demo);
  const passwordHash = keepsPassword ? '' : await hashPassword(ctx, password);
  await ctx.db.transaction(async (db) => {
    if (!existing) await createAccount({ ...ctx, db }, { email: address, name, passwordHash });
    const [made] = await db
      .update(user)
      .set({ role: 'admin' })
      .where(eq(user.email, address))
      .returning();
    if (!made) throw new Error('The account could not be made');
    if (existing && !keepsPassword)
      await db
        .update(account)
        .set({ password: passwordHash, updatedAt: ctx.now() })
        .where(and(eq(account.userId, made.id), eq(account.providerId, 'credential')));
    if (existing && existing.role !== 'admin') await endWaysIn({ ...ctx, db }, made.id);
    await audit(
      { ...ctx, db },
      {
        action: 'admin.create',
        subjectKind: 'user',
        subjectId: made.id,
        before: { role: existing?.role ?? null },
        after: { role: 'admin' },
      },
    );
  });
  return { created: !existing, passwordSet: !keepsPassword };
}
