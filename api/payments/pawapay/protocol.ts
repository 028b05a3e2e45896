import * as z from 'zod/mini';
import type { paymentFailures, paymentNetworks } from '../../../db/vocabularies.ts';

// Messages of pawaPay's Merchant API v2, from its published OpenAPI document (openapi_v2.yaml,
// version v2). Fields that are not read here are left out.

type Network = (typeof paymentNetworks)[number];
export type Failure = (typeof paymentFailures)[number];

/** Names of Cameroon's networks. */
export const providers: Record<Network, string> = {
  mtn_momo: 'MTN_MOMO_CMR',
  orange_money: 'ORANGE_CMR',
};
export const networkOf = (provider: string): Network | undefined =>
  (Object.keys(providers) as Network[]).find((network) => providers[network] === provider);

/** Characters that a payer's statement shows, at most. */
const longestMessage = 22;

/** Text of a payer's statement: the market's name, cut, and a reference, in letters and digits. */
export function statementText(market: string, reference: string): string {
  const end = reference.replaceAll(/[^A-Za-z\d]/g, '');
  const name = market.normalize('NFKD').replaceAll(/[^A-Za-z\d ]/g, '');
  return `${name.slice(0, longestMessage - 1 - end.length).trim()} ${end}`.trim();
}

const reason = z.object({ failureCode: z.string() });

/** Answer to `POST /v2/deposits` and `POST /v2/refunds`. */
export const initiated = z.object({
  status: z.enum(['ACCEPTED', 'REJECTED', 'DUPLICATE_IGNORED']),
  failureReason: z.optional(reason),
});

/** Answer to `GET /v2/deposits/{depositId}`. */
export const deposit = z.discriminatedUnion('status', [
  z.object({ status: z.literal('NOT_FOUND') }),
  z.object({
    status: z.literal('FOUND'),
    data: z.object({
      depositId: z.string(),
      status: z.string(),
      amount: z.string(),
      currency: z.string(),
      providerTransactionId: z.optional(z.string()),
      failureReason: z.optional(reason),
    }),
  }),
]);

/** Answer to `GET /v2/refunds/{refundId}`. */
export const refund = z.discriminatedUnion('status', [
  z.object({ status: z.literal('NOT_FOUND') }),
  z.object({
    status: z.literal('FOUND'),
    data: z.object({
      refundId: z.string(),
      status: z.string(),
      amount: z.string(),
      currency: z.string(),
      providerTransactionId: z.optional(z.string()),
      failureReason: z.optional(reason),
    }),
  }),
]);

/** Answer to `POST /v2/predict-provider`. */
export const prediction = z.object({ country: z.string(), provider: z.string() });

/** Answer to `GET /v2/public-key/http`; keys are in PEM. */
export const publicKeys = z.array(z.object({ id: z.string(), key: z.string() }));

/** Callback of a deposit. */
export const callback = z.object({ depositId: z.uuid() });

const failures: Readonly<Record<string, Failure>> = {
  PAYMENT_NOT_APPROVED: 'declined',
  INSUFFICIENT_BALANCE: 'noFunds',
  PAYER_LIMIT_REACHED: 'limit',
  WALLET_LIMIT_REACHED: 'limit',
  AMOUNT_OUT_OF_BOUNDS: 'limit',
  PAYER_NOT_FOUND: 'noWallet',
  INVALID_PHONE_NUMBER: 'noWallet',
  INVALID_PROVIDER: 'noWallet',
  PAYMENT_IN_PROGRESS: 'busy',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'away',
  DEPOSITS_NOT_ALLOWED: 'away',
};
/** Meaning of a failure code; `other` for those that say no more, and for new ones. */
export const failureOf = (code: string | undefined): Failure =>
  (code !== undefined && Object.hasOwn(failures, code) && failures[code]) || 'other';
