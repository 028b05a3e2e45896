import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';
import { currentVersion, type Version } from './version.ts';

const { user } = schema;

/** True unless an account has still to agree to this version. */
export const agrees = ({ actor }: Pick<Ctx, 'actor'>, { id }: Version): boolean =>
  !('agreedTo' in actor) || actor.agreedTo === id;

/**
 * Refuses `legal.notAgreed` to an account that has not agreed to the present version. Verbs that
 * begin something call it: reading, ending and deleting stay open. Visitors and jobs pass.
 */
export async function requireAgreement(ctx: Ctx): Promise<void> {
  if (!agrees(ctx, await currentVersion(ctx))) throw new Refusal('legal.notAgreed');
}

/** The present version, and whether the person still has to agree to it; visitors never do. */
export async function agreementOf(ctx: Ctx): Promise<{ version: Version; asks: boolean }> {
  openToEveryone(ctx);
  const version = await currentVersion(ctx);
  return { version, asks: !agrees(ctx, version) };
}

/** Stores an account's agreement, once, and logs the one before it. */
export async function keepAgreement(tx: Tx, userId: string, version: string): Promise<void> {
  const [before] = await tx.db
    .select({ version: user.agreedTo, at: user.agreedAt })
    .from(user)
    .where(eq(user.id, userId))
    .for('update');
  if (before?.version === version) return;
  await tx.db
    .update(user)
    .set({ agreedTo: version, agreedAt: tx.now() })
    .where(eq(user.id, userId));
  await audit(tx, {
    action: 'account.agree',
    subjectKind: 'user',
    subjectId: userId,
    before: before?.version ? before : undefined,
    after: { version },
  });
}
