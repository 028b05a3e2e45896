import { and, eq, isNull, ne } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { lockNamed } from '../core/transaction.ts';

const { user } = schema;

/** Serializes changes of admins: of two who leave at once, one is refused as the last. */
export const lockAdmins = (tx: Tx): Promise<void> => lockNamed(tx, 'admins');

/** Needs {@link lockAdmins}. */
export async function anotherAdminStays({ db }: Ctx, userId: string): Promise<boolean> {
  const others = and(eq(user.role, 'admin'), ne(user.id, userId), isNull(user.leavingAt));
  return (await db.select({ id: user.id }).from(user).where(others).limit(1)).length > 0;
}

/** Locks an account; inserts that only reference it do not wait. */
export async function lockAccount(tx: Tx, userId: string) {
  const [account] = await tx.db.select().from(user).where(eq(user.id, userId)).for('no key update');
  return account;
}
