import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

const { session, signInLinks, verification } = schema;

/** Ends an account's sessions and mailed links. */
export async function endWaysIn({ db }: Ctx, userId: string): Promise<void> {
  await db.delete(session).where(eq(session.userId, userId));
  await db.delete(verification).where(eq(verification.value, userId));
  await db.delete(signInLinks).where(eq(signInLinks.userId, userId));
}
