import type { Language } from '../../locales/languages.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { changeUser } from './userRow.ts';

/** Changes the language of mail, until a sign-in in another language. */
export async function changeLanguage(
  ctx: Ctx,
  language: Language,
): Promise<{ language: Language }> {
  const { userId } = requireAccount(ctx);
  await changeUser(ctx, userId, { language });
  return { language };
}
