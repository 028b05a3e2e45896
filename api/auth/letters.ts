import { createHash, randomBytes } from 'node:crypto';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { writeMail } from '../core/outbox.ts';
import type { AuthLetters } from './auth.ts';

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
/** 256 bits by chance, as they stand in a mailed link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The address of a page that uses a mailed link. It leads to a page, never to an API route: opening it changes nothing. */
export const pageLink = ({ services }: Pick<Ctx, 'services'>, path: string, language: Language, token: string): string =>
  `${services.env.publicUrl}/${language}${path}?token=${encodeURIComponent(token)}`;

/** The letters that better-auth asks to have sent. */
export function authLetters(ctx: () => Pick<Ctx, 'db' | 'now' | 'services'>): AuthLetters {
  return {
    async reset({ email, name, language }, token) {
      await writeMail(ctx() as Ctx, { to: email, name, language, kind: 'resetPassword', link: pageLink(ctx(), '/reset-password', language, token) });
    },
  };
}
