import { translator } from '../../locales/index.ts';
import type { Dictionaries } from '../../locales/keys.ts';
import type { Ctx } from './context.ts';
import { Refusal } from './errors.ts';

/** What somebody else did, or what happened by itself, before the act that is refused. */
export type Meanwhile = keyof Dictionaries['admin']['meanwhile'];

/** What a refusal tells of it, in the reader's language. */
export const meanwhile = (
  { language }: Pick<Ctx, 'language'>,
  what: Meanwhile,
): { what: string } => ({
  what: translator(language, 'admin')(`meanwhile.${what}`),
});

/** The refusal of an act that came too late. */
export const tooLate = (ctx: Pick<Ctx, 'language'>, what: Meanwhile): Refusal =>
  new Refusal('conflict', meanwhile(ctx, what));
