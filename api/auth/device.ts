import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parse, serialize } from 'hono/utils/cookie';
import type { AuthCtx } from './context.ts';
import { verifiedUser } from './create.ts';
import { passwordOf } from './passwords/proof.ts';

const name = 'known_device';
const days = 180;
/** People share phones: a browser is known for the accounts that signed in last. */
const mostAccounts = 4;

/** Bound to the password hash: a new password makes every device unknown. */
async function seal({ services, ...ctx }: AuthCtx, id: string, userId: string): Promise<string> {
  const hash = await passwordOf(ctx, userId);
  return createHmac('sha256', services.secret)
    .update(`device:${id}:${userId}:${hash ?? ''}`)
    .digest('base64url');
}

const heldBy = ({ headers }: AuthCtx): string[] =>
  (parse(headers.get('cookie') ?? '', name)[name] ?? '')
    .split('~')
    .filter(Boolean)
    .slice(0, mostAccounts);

async function markOf(ctx: AuthCtx, userId: string): Promise<string | undefined> {
  for (const mark of heldBy(ctx)) {
    const [id = '', given = ''] = mark.split('.');
    const since = Number.parseInt(id.split('-')[0] ?? '', 36);
    if (!(ctx.now().getTime() - since < days * 86_400_000)) continue;
    const [own, other] = [Buffer.from(await seal(ctx, id, userId)), Buffer.from(given)];
    if (own.length === other.length && timingSafeEqual(own, other)) return mark;
  }
  return undefined;
}

/** Rate-limit key of this browser for an account; undefined if it is not known there. */
export async function deviceKey(ctx: AuthCtx, email: string): Promise<string | undefined> {
  if (heldBy(ctx).length === 0) return undefined;
  const owner = await verifiedUser(ctx, email);
  const mark = owner && (await markOf(ctx, owner.id));
  return mark && `sign-in:device:${createHash('sha256').update(mark).digest('hex').slice(0, 32)}`;
}

/**
 * Makes this browser known for the account. The cookie grants nothing: it only keeps others' failed
 * tries from blocking this browser.
 */
export async function deviceCookie(ctx: AuthCtx, userId: string): Promise<string> {
  const known = await markOf(ctx, userId);
  const id = `${ctx.now().getTime().toString(36)}-${randomBytes(12).toString('hex')}`;
  const own = known ?? `${id}.${await seal(ctx, id, userId)}`;
  const marks = [own, ...heldBy(ctx).filter((mark) => mark !== own)].slice(0, mostAccounts);
  const secure = ctx.services.env.publicUrl.startsWith('https:');
  return serialize(name, marks.join('~'), {
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    maxAge: days * 86_400,
  });
}
