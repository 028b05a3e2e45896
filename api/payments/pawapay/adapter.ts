import type * as z from 'zod/mini';
import { marketName } from '../../../locales/index.ts';
import type { Adapter, Purchase, Standing } from '../../core/ports.ts';
import { priceOf, testSuffix } from '../rules.ts';
import { createClient } from './client.ts';
import {
  callback,
  deposit,
  failureOf,
  initiated,
  networkOf,
  prediction,
  providers,
  statementText,
} from './protocol.ts';
import { pawapayRefunds } from './refund.ts';
import { isSigned } from './signature.ts';
import { readStatement } from './statement.ts';

/** Any other base is test mode, the provider's sandbox too. */
export const liveBase = 'https://api.pawapay.io';

/** Name of the adapter at a base: what was paid in test mode is never taken for money. */
export const nameAt = (base: string): string =>
  base === liveBase ? 'pawapay' : `pawapay${testSuffix}`;

const [second, minute] = [1000, 60_000];

/** Next question by the age of a payment: most are confirmed within a minute. */
function askAt({ createdAt }: Purchase, now: Date): Date {
  const age = now.getTime() - createdAt.getTime();
  const wait = age < minute ? 5 * second : age < 5 * minute ? 15 * second : minute;
  return new Date(now.getTime() + wait);
}

type Options = {
  base: string;
  token: string;
  /** Address of the callbacks, as the provider calls it. */
  callbackUrl: string;
  /** Hears of answers that need a person. */
  warn: (message: string, details: Record<string, unknown>) => void;
};

/**
 * Mobile money by pawaPay's Merchant API v2: MTN MoMo and Orange Money in Cameroon. The purchase's
 * id is the deposit's, so that a repeated start charges once.
 */
export function pawapay({ base, token, callbackUrl, warn }: Options): Adapter {
  const client = createClient(base, token);
  const { send, read, keyOf } = client;
  const predict = async (number: string) => {
    const answer = await send('/v2/predict-provider', { phoneNumber: number.replace('+', '') });
    // A number of no wallet is refused with 400.
    if (answer.status === 400) return undefined;
    const { country, provider } = read(prediction, answer);
    return country === 'CMR' ? networkOf(provider) : undefined;
  };

  const standing = (
    purchase: Purchase,
    { data }: Extract<z.output<typeof deposit>, { status: 'FOUND' }>,
    now: Date,
  ): Standing => {
    if (data.status === 'FAILED')
      return { state: 'failed', why: failureOf(data.failureReason?.failureCode) };
    if (data.status !== 'COMPLETED') return { state: 'pending', askAt: askAt(purchase, now) };
    const { id } = purchase;
    if (
      data.depositId !== id ||
      data.currency !== 'XAF' ||
      Number(data.amount) !== priceOf(purchase)
    ) {
      const { amount, currency } = data;
      warn('A payment differs from its price', { purchase: id, amount, currency });
      return { state: 'failed', why: 'mismatch' };
    }
    return { state: 'completed', reference: data.providerTransactionId ?? id };
  };

  return {
    name: nameAt(base),
    methods: ['mobile_money'],
    testMode: base !== liveBase,
    needsNumber: true,
    expiresMs: 15 * minute,
    predict,
    async start(purchase, now, payer) {
      const { id, reference } = purchase;
      const network = purchase.network ?? (payer && (await predict(payer)));
      if (!payer || !network) return { state: 'failed', why: 'noWallet' };
      const answer = await send('/v2/deposits', {
        depositId: id,
        amount: String(priceOf(purchase)),
        currency: 'XAF',
        payer: {
          type: 'MMO',
          accountDetails: { phoneNumber: payer.replace('+', ''), provider: providers[network] },
        },
        clientReferenceId: reference,
        customerMessage: statementText(marketName(), reference),
      });
      if (answer.status === 400 || answer.status === 401 || answer.status === 403) {
        warn('pawaPay refused a request', { purchase: id, status: answer.status });
        return { state: 'failed', why: 'away' };
      }
      const { status, failureReason } = read(initiated, answer);
      return status === 'REJECTED'
        ? { state: 'failed', why: failureOf(failureReason?.failureCode) }
        : { state: 'pending', askAt: askAt(purchase, now) };
    },
    async ask(purchase, now) {
      const answer = read(deposit, await send(`/v2/deposits/${purchase.id}`));
      return answer.status === 'FOUND'
        ? standing(purchase, answer, now)
        : { state: 'pending', askAt: askAt(purchase, now) };
    },
    refund: pawapayRefunds(client, warn),
    readStatement,
    async readCallback(body, headers) {
      if (!(await isSigned({ url: callbackUrl, body, headers }, keyOf))) return [];
      const heard = callback.safeParse(JSON.parse(body));
      return heard.success ? [heard.data.depositId] : [];
    },
  };
}
