import type { Adapter, Refund, RefundStanding } from '../../core/ports.ts';
import type { createClient } from './client.ts';
import { initiated, refund as refundAnswer } from './protocol.ts';

const minute = 60_000;

/**
 * Money back to the wallet it came from; the refund's id makes a repeated start give it once. `warn`
 * hears of answers that need a person.
 */
export function pawapayRefunds(
  { send, read }: ReturnType<typeof createClient>,
  warn: (message: string, details: Record<string, unknown>) => void,
): NonNullable<Adapter['refund']> {
  /** A refund takes seconds, or a network's bad day. */
  const later = ({ at }: Refund, now: Date): RefundStanding => {
    const wait = now.getTime() - at.getTime() < 10 * minute ? minute / 3 : 10 * minute;
    return { state: 'pending', askAt: new Date(now.getTime() + wait) };
  };
  const lookUp = async (refund: Refund, now: Date): Promise<RefundStanding | undefined> => {
    const { id, purchaseId: purchase, amount, currency } = refund;
    const answer = read(refundAnswer, await send(`/v2/refunds/${id}`));
    if (answer.status === 'NOT_FOUND') return undefined;
    const { data } = answer;
    if (data.status === 'FAILED')
      return { state: 'failed', failure: data.failureReason?.failureCode ?? 'FAILED' };
    if (data.status !== 'COMPLETED') return later(refund, now);
    if (data.refundId === id && Number(data.amount) === amount && data.currency === currency)
      return { state: 'completed', reference: data.providerTransactionId ?? id };
    warn('A refund differs from its order', { purchase, refund: id });
    return { state: 'failed', failure: 'MISMATCH' };
  };
  return {
    async start(refund, now) {
      const { id, purchaseId, amount, currency } = refund;
      const order = { refundId: id, depositId: purchaseId, amount: String(amount), currency };
      const answer = await send('/v2/refunds', order);
      // It may have been accepted before, and the answer lost.
      if (answer.status === 400)
        return (await lookUp(refund, now)) ?? { state: 'failed', failure: 'INVALID' };
      const { status, failureReason } = read(initiated, answer);
      return status === 'REJECTED'
        ? { state: 'failed', failure: failureReason?.failureCode ?? 'REJECTED' }
        : later(refund, now);
    },
    ask: async (refund, now) => (await lookUp(refund, now)) ?? later(refund, now),
  };
}
