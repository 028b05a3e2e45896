import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { writeMail } from '../core/outbox.ts';
import { type AuthLetters, verificationSeconds } from './auth.ts';

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The mails of this room, with links that lead to pages, never to an API route. A new verification link makes older ones worthless. */
export function authLetters(ctx: () => Pick<Ctx, 'db' | 'now' | 'services'>): AuthLetters {
  const address = (path: string, language: string, token: string) => `${ctx().services.env.publicUrl}/${language}${path}?token=${encodeURIComponent(token)}`;
  return {
    async verification(to, token) {
      const { db, now, services } = ctx();
      const { verificationLinks } = schema;
      const createdAt = now();
      await db.delete(verificationLinks).where(eq(verificationLinks.userId, to.id));
      await db
        .insert(verificationLinks)
        .values({ tokenHash: hashToken(token), userId: to.id, createdAt, expiresAt: new Date(createdAt.getTime() + verificationSeconds * 1000) });
      await writeMail({ db, now, services } as Ctx, {
        to: to.email,
        name: to.name,
        language: to.language,
        kind: 'verifyEmail',
        link: address('/email-verification', to.language, token),
      });
    },
    async reset(to, token) {
      await writeMail(ctx() as Ctx, {
        to: to.email,
        name: to.name,
        language: to.language,
        kind: 'resetPassword',
        link: address('/reset-password', to.language, token),
      });
    },
  };
}
