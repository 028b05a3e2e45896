import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { changeUser } from './userRow.ts';

/** Changes the language of mail, until a sign-in in another language. */
export async function changeLanguage(
  ctx: Ctx,
  language: Language,
): Promise<{ language: Language }> {
  await changeUser(ctx, { language });
  return { language };
}
