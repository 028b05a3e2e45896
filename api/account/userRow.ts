import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';

export async function changeUser(
  ctx: Pick<Ctx, 'db' | 'now'>,
  userId: string,
  changed: { name: string } | { language: Language },
): Promise<void> {
  await ctx.db
    .update(schema.user)
    .set({ ...changed, updatedAt: ctx.now() })
    .where(eq(schema.user.id, userId));
}
