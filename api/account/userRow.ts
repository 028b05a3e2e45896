import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { accountOf } from './proof.ts';

export async function changeUser(
  ctx: Ctx,
  changed: { name: string } | { language: Language },
): Promise<void> {
  const { userId } = accountOf(ctx);
  await ctx.db
    .update(schema.user)
    .set({ ...changed, updatedAt: ctx.now() })
    .where(eq(schema.user.id, userId));
}
