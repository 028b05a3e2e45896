import { requireModerator } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { presentRefusal, Refusal } from '../../shared/errors.ts';
import type { BulkDecision } from '../schema.ts';
import { type Decision, decide } from './decide.ts';

/** `message` is in the admin's language. */
export type BulkOutcome =
  | { id: string; outcome: 'done' }
  | { id: string; outcome: 'refused'; code: string; message: string };

/**
 * Decides several products, each in its own transaction, so that one failure does not stop the
 * rest.
 */
export async function decideMany(
  ctx: Ctx,
  { ids, action, reason, seen }: BulkDecision,
): Promise<BulkOutcome[]> {
  requireModerator(ctx);
  const decision: Decision = action === 'approve' ? { action } : { action, reason: reason ?? '' };
  const outcomes: BulkOutcome[] = [];
  for (const id of new Set(ids)) {
    try {
      await decide(ctx, id, decision, seen?.[id]);
      outcomes.push({ id, outcome: 'done' });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal('unexpected');
      if (refusal !== error) report(ctx, error);
      const { code, message } = presentRefusal(refusal, ctx.language, ctx.requestId).error;
      outcomes.push({ id, outcome: 'refused', code, message });
    }
  }
  return outcomes;
}

function report({ services, requestId }: Ctx, error: unknown): void {
  services.reporter.report({
    source: 'server',
    kind: 'error',
    message: error instanceof Error ? error.message : String(error),
    requestId,
    page: 'products/bulk',
    extra: { error },
  });
}
