import type { schema } from '../../db/client.ts';
import type { purchaseMethods } from './schema.ts';

export type Purchase = typeof schema.creditPurchases.$inferSelect;
export type PurchaseMethod = (typeof purchaseMethods)[number];

/** State of a payment. `askAt: 'never'` leaves the decision to an admin. */
export type Standing =
  | { state: 'pending'; askAt: Date | 'never' }
  | { state: 'completed'; reference: string }
  | { state: 'failed'; reason: string };

/**
 * A payment provider (decision 043). Only `ask` is trusted; a callback merely says when to ask.
 * `start` and `ask` run outside transactions, maybe twice per purchase, so pass the purchase's id
 * as idempotency key; both return within seconds or throw, which leaves the purchase pending.
 */
export type Adapter = {
  name: string;
  methods: readonly PurchaseMethod[];
  /** No money moves. */
  testMode: boolean;
  start(purchase: Purchase, now: Date): Promise<Standing>;
  ask(purchase: Purchase, now: Date): Promise<Standing>;
  /** Ids of the purchases concerned; none if the signature is wrong. */
  readCallback(body: string, headers: Headers): Promise<readonly string[]>;
};
