import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { changeUser } from './userRow.ts';

/** Changes the account's name; a seller profile has its own. */
export async function changeName(ctx: Ctx, name: string): Promise<{ name: string }> {
  const { userId } = requireAccount(ctx);
  await changeUser(ctx, userId, { name });
  return { name };
}
