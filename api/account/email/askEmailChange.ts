import type { WithAuth } from '../../auth/context.ts';
import { requireCode } from '../../auth/secondFactor/secondFactor.ts';
import { Refusal } from '../../shared/errors.ts';
import { requireProof } from '../proof.ts';
import type { ChangedEmail } from '../schema.ts';
import { mailProof, requireMailbox } from './emailChange.ts';

const demoDomain = '@demo.marche54.example';

/**
 * Mails a link that proves a new address, replacing a waiting change. A taken or held address gets
 * the same answer; its holder is mailed. Refuses `account.emailMissing`, `account.emailSame`,
 * `account.demoEmail`, `account.leaving`, `sellers.barred`, `auth.tooManyAttempts`, and as
 * {@link requireProof} and {@link requireCode}.
 */
export async function askEmailChange(
  ctx: WithAuth,
  { email, password, code }: ChangedEmail,
): Promise<{ sent: true }> {
  const { userId, email: present } = requireMailbox(ctx);
  // Each start of the demo finds its sample people by their addresses.
  if (ctx.services.env.demo && present.endsWith(demoDomain)) throw new Refusal('account.demoEmail');
  await requireProof(ctx, { password });
  await requireCode(ctx, userId, code);
  if (email === present) throw new Refusal('account.emailSame');
  return mailProof(ctx, email);
}
