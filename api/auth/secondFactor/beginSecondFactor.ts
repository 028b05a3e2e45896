import { isNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { requireTeamAccount } from '../../core/access.ts';
import { qrCode } from '../../pictures/qrCode.ts';
import { Refusal } from '../../shared/errors.ts';
import type { WithAuth } from '../context.ts';
import { askPassword } from '../passwords/proof.ts';
import { newSecret } from './codes.ts';

const { secondFactors } = schema;

/**
 * Begins turning the factor on; a new secret replaces an unconfirmed one. Refuses
 * `auth.passwordWrong`, `auth.factorOn`, `auth.tooManyAttempts`.
 */
export async function beginSecondFactor(
  ctx: WithAuth,
  { password }: { password: string },
): Promise<{ secret: string; picture: { size: number; path: string } }> {
  const { userId, email } = requireTeamAccount(ctx);
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
  return { secret, picture: qrCode(address) };
}
