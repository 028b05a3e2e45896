import type { Adapter, RefundStanding } from '../../core/ports.ts';
import type { createClient } from './client.ts';
import { initiated, refund as refundAnswer } from './protocol.ts';

/** A refund takes seconds, or a network's bad day. */
const askMs = 20_000;
const later = (now: Date): RefundStanding => ({
  state: 'pending',
  askAt: new Date(now.getTime() + askMs),
});

/** Money back to the wallet it came from; the refund's id makes a repeated start give it once. */
export const pawapayRefunds = ({
  send,
  read,
}: ReturnType<typeof createClient>): NonNullable<Adapter['refund']> => ({
  async start({ id, purchaseId, amount, currency }, now) {
    const order = { refundId: id, depositId: purchaseId, amount: String(amount), currency };
    const answer = await send('/v2/refunds', order);
    if (answer.status === 400 || answer.status === 401 || answer.status === 403)
      return { state: 'failed', failure: `HTTP ${answer.status}` };
    const { status, failureReason } = read(initiated, answer);
    return status === 'REJECTED'
      ? { state: 'failed', failure: failureReason?.failureCode ?? 'REJECTED' }
      : later(now);
  },
  async ask({ id, amount, currency }, now) {
    const answer = read(refundAnswer, await send(`/v2/refunds/${id}`));
    if (answer.status === 'NOT_FOUND') return later(now);
    const { data } = answer;
    if (data.status === 'FAILED')
      return { state: 'failed', failure: data.failureReason?.failureCode ?? 'FAILED' };
    if (data.status !== 'COMPLETED') return later(now);
    return data.refundId === id && Number(data.amount) === amount && data.currency === currency
      ? { state: 'completed', reference: data.providerTransactionId ?? id }
      : { state: 'failed', failure: 'MISMATCH' };
  },
});
