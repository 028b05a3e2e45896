import { createHmac, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { retrySeconds, tryCount } from '../core/limits.ts';
import { Refusal } from '../shared/errors.ts';
import { isUuid } from '../shared/text.ts';
import { endLimit } from './rules.ts';

const signed = (secret: string, id: string): string =>
  createHmac('sha256', secret).update(`end alert:${id}`).digest('base64url').slice(0, 22);

/** A mail's token: it ends this alert, and lets nobody read it. */
export const endToken = ({ services }: Pick<Ctx, 'services'>, id: string): string =>
  `${id}.${signed(services.secret, id)}`;

/**
 * Ends the alert of a mail's token, without signing in (RFC 8058). Unknown and old tokens are
 * answered alike. Refuses `tooManyRequests`.
 */
export async function endFromMail(ctx: Ctx, token: string): Promise<void> {
  openToEveryone(ctx);
  const counted = await tryCount(ctx, `end-alert:${ctx.client.addressHash}`, [endLimit]);
  if (counted.waitMs !== undefined)
    throw new Refusal('tooManyRequests', {}, [], { retryAfter: retrySeconds(counted.waitMs) });
  const [id = '', given = ''] = token.split('.');
  const [own, other] = [Buffer.from(signed(ctx.services.secret, id)), Buffer.from(given)];
  if (!isUuid(id) || own.length !== other.length || !timingSafeEqual(own, other)) return;
  await ctx.db.delete(schema.alerts).where(eq(schema.alerts.id, id));
}
