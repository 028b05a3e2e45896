import { isNull } from 'drizzle-orm';
import { encode } from 'uqr';
import { schema } from '../../../db/client.ts';
import { requireAdminAccount } from '../../core/access.ts';
import { Refusal } from '../../shared/errors.ts';
import type { WithAuth } from '../context.ts';
import { askPassword } from '../passwords/proof.ts';
import { newSecret } from './codes.ts';

const { secondFactors } = schema;

/** QR code as an SVG path of its dark squares; `size` includes the quiet border. */
function picture(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 4 });
  return {
    size,
    path: data
      .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
      .join(''),
  };
}

/**
 * Begins turning the factor on; a new secret replaces an unconfirmed one. Refuses
 * `auth.passwordWrong`, `auth.factorOn`, `auth.tooManyAttempts`.
 */
export async function beginSecondFactor(
  ctx: WithAuth,
  { password }: { password: string },
): Promise<{ secret: string; picture: { size: number; path: string } }> {
  const { userId, email } = requireAdminAccount(ctx);
  await askPassword(ctx, userId, password);
  const { secret, address, stored } = await newSecret(ctx, email ?? userId);
  const begun = { secret: stored, createdAt: ctx.now(), lastStep: 0 };
  const written = await ctx.db
    .insert(secondFactors)
    .values({ userId, ...begun })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: begun,
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ userId: secondFactors.userId });
  if (written.length === 0) throw new Refusal('auth.factorOn');
  return { secret, picture: picture(address) };
}
