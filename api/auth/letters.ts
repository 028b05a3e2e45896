import { createHash, randomBytes } from 'node:crypto';
import type { Ctx } from '../core/context.ts';
import { notify } from '../people/notify.ts';
import type { AuthLetters } from './auth.ts';

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
/** 256 bits by chance, as they stand in a mailed link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The path of a page that uses a mailed link. It leads to a page, never to an API route: opening it changes nothing. */
export const withToken = (path: string, token: string): string => `${path}?token=${encodeURIComponent(token)}`;

/** The letters that better-auth asks to have sent. */
export function authLetters(ctx: () => Pick<Ctx, 'db' | 'now' | 'services'>): AuthLetters {
  return {
    async reset({ id }, token) {
      await notify(ctx() as Ctx, { userId: id }, 'resetPassword', {}, withToken('reset-password', token));
    },
  };
}
