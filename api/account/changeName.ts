import type { Ctx } from '../core/context.ts';
import { changeUser } from './userRow.ts';

/** Changes the account's name; a seller profile has its own. */
export async function changeName(ctx: Ctx, name: string): Promise<{ name: string }> {
  await changeUser(ctx, { name });
  return { name };
}
