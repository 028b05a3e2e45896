import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { createProfile } from '../../sellers/profile.ts';
import type { Profile } from '../../sellers/schema.ts';
import { Refusal } from '../../shared/errors.ts';

/** True if the profile could not be made, as for a barred address or a moderator. */
export async function tryProfile(
  ctx: Ctx,
  account: { id: string; email: string },
  profile: Profile,
): Promise<boolean> {
  try {
    // Its own transaction: a failed profile must not undo the account.
    await inTransaction(ctx, (tx) =>
      createProfile(tx, { userId: account.id, email: account.email }, profile),
    );
    return false;
  } catch (error) {
    const code = error instanceof Refusal ? error.code : undefined;
    if (code === 'sellers.profileExists') return false;
    if (code !== 'sellers.barred' && code !== 'forbidden')
      ctx.services.log.error('A profile could not be made at sign-up', { error });
    return true;
  }
}
