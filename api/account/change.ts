import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { accountOf } from './proof.ts';

/** Changes the account's name; a seller profile has its own. */
export async function changeName(ctx: Ctx, name: string): Promise<{ name: string }> {
  await write(ctx, { name });
  return { name };
}

/** Changes the language of mail, until a sign-in in another language. */
export async function changeLanguage(
  ctx: Ctx,
  language: Language,
): Promise<{ language: Language }> {
  await write(ctx, { language });
  return { language };
}

async function write(ctx: Ctx, changed: { name: string } | { language: Language }): Promise<void> {
  const { userId } = accountOf(ctx);
  await ctx.db
    .update(schema.user)
    .set({ ...changed, updatedAt: ctx.now() })
    .where(eq(schema.user.id, userId));
}
