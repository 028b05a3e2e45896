import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { submission } from '../products/schema.ts';
import { type Submitted, submit } from '../products/submit.ts';
import { Refusal } from '../shared/errors.ts';
import { judged } from '../shared/validated.ts';
import { answersOf, locked, present } from './draft.ts';
import { toSubmission } from './rules.ts';

/**
 * Submits one's draft; the draft's key makes a second device get the same product. Refuses
 * `notFound` without a draft, `validation`, and as {@link submit} does.
 */
export async function submitDraft(ctx: Ctx): Promise<Submitted> {
  const { userId, ...seller } = requireSeller(ctx);
  return inTransaction(ctx, async (tx) => {
    const row = await locked(tx, userId);
    if (!row) throw new Refusal('notFound');
    const { photos, answers } = await present(tx, row);
    const given = toSubmission(
      answersOf(seller, answers),
      photos.map(({ id }) => id),
    );
    const product = judged(
      submission,
      tx.actor.kind === 'admin' ? { ...given, sellerId: seller.id } : given,
    );
    return submit(tx, product, row.key);
  });
}
