import { translator } from '../../locales/index.ts';
import type { Dictionaries } from '../../locales/keys.ts';
import { Refusal } from '../shared/errors.ts';
import type { Ctx } from './context.ts';

/** A change by others, or over time, that came before a refused action. */
export type Meanwhile = keyof Dictionaries['admin']['meanwhile'];

export const meanwhile = (
  { language }: Pick<Ctx, 'language'>,
  what: Meanwhile,
): { what: string } => ({
  what: translator(language, 'admin')(`meanwhile.${what}`),
});

/** The `conflict` refusal of an action that came too late. */
export const tooLate = (ctx: Pick<Ctx, 'language'>, what: Meanwhile): Refusal =>
  new Refusal('conflict', meanwhile(ctx, what));
