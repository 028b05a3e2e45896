import { createHmac, randomInt } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { and, eq, isNotNull, lt } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { schema } from '../../../db/client.ts';
import { marketName } from '../../../locales/index.ts';
import type { Ctx } from '../../core/context.ts';
import { countAttempt } from '../../core/limits.ts';
import { Refusal } from '../../shared/errors.ts';

/** The previous and the next 30-second code count too: phone clocks drift. */
const period = 30;
const window = 1;
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const { secondFactors, backupCodes } = schema;

const totp = (secret: string, label = '') =>
  new TOTP({ issuer: marketName(), label, secret: Secret.fromBase32(secret), digits: 6, period });

export async function newSecret(
  ctx: Ctx,
  label: string,
): Promise<{ secret: string; address: string; stored: string }> {
  const secret = new Secret({ size: 20 }).base32;
  return {
    secret,
    address: totp(secret, label).toString(),
    stored: await symmetricEncrypt({ key: ctx.services.secret, data: secret }),
  };
}

/** 30-second step of a code; null for a wrong or old one. */
export async function stepOf(ctx: Ctx, stored: string, code: string): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = ctx.now().getTime();
  const delta = totp(await symmetricDecrypt({ key: ctx.services.secret, data: stored })).validate({
    token: code,
    timestamp,
    window,
  });
  return delta === null ? null : TOTP.counter({ period, timestamp }) + delta;
}

/** Keyed: a copy of the database alone reveals no code. */
const hashCode = (ctx: Ctx, userId: string, code: string) =>
  createHmac('sha256', ctx.services.secret).update(`backup:${userId}:${code}`).digest('hex');

/** Writes ten backup codes and returns them once, formatted `abcd-efgh-jkmn`. */
export async function writeBackupCodes(ctx: Ctx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: 10 }, () =>
    Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join(''),
  );
  await ctx.db
    .insert(backupCodes)
    .values(codes.map((code) => ({ userId, codeHash: hashCode(ctx, userId, code) })));
  return codes.map((code) => code.replace(/(.{4})(.{4})(.{4})/, '$1-$2-$3'));
}

/** Counts one try. Call it outside a transaction, or a refusal rolls it back. */
export const countCode = (ctx: Ctx, userId: string): Promise<number> =>
  countAttempt(ctx, `second-factor:${userId}`, 5, 900);

/**
 * Uses up a code; of two requests with one code, one is refused. Refuses `auth.codeWrong`,
 * `auth.codeUsed`.
 * @param code without spaces and dashes, in lower case
 */
export async function spendCode(
  ctx: Ctx,
  factor: { userId: string; secret: string },
  code: string,
): Promise<void> {
  const { userId, secret } = factor;
  const step = await stepOf(ctx, secret, code);
  if (step === null) {
    const mine = and(
      eq(backupCodes.userId, userId),
      eq(backupCodes.codeHash, hashCode(ctx, userId, code)),
    );
    const used = await ctx.db
      .delete(backupCodes)
      .where(mine)
      .returning({ userId: backupCodes.userId });
    if (used.length === 0) throw new Refusal('auth.codeWrong');
    return;
  }
  const newer = and(
    eq(secondFactors.userId, userId),
    isNotNull(secondFactors.confirmedAt),
    lt(secondFactors.lastStep, step),
  );
  const used = await ctx.db
    .update(secondFactors)
    .set({ lastStep: step })
    .where(newer)
    .returning({ userId: secondFactors.userId });
  if (used.length === 0) throw new Refusal('auth.codeUsed');
}
