import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

const { signInLinks, verification } = schema;

/** Ends every link mailed to an account: password, sign-in, first address. */
export async function endMailedLinks({ db }: Pick<Ctx, 'db'>, userId: string): Promise<void> {
  await db.delete(verification).where(eq(verification.value, userId));
  await db.delete(signInLinks).where(eq(signInLinks.userId, userId));
}
