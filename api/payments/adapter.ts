import type { schema } from '../../db/client.ts';
import type { purchaseMethods } from './schema.ts';

export type Purchase = typeof schema.creditPurchases.$inferSelect;
export type PurchaseMethod = (typeof purchaseMethods)[number];

/** How a payment stands. One that is pending says when to ask again; `never` where nobody but an admin will know. */
export type Standing =
  | { state: 'pending'; askAt: Date | 'never' }
  | { state: 'completed'; reference: string }
  | { state: 'failed'; reason: string };

/**
 * A way to be paid (decision 043). What `ask` says is the truth; a callback only says when to ask. `start` and `ask` are called outside of any
 * transaction, maybe twice for one purchase, whose id the adapter hands on as the key of repeated requests. Both answer within some seconds, or throw,
 * which leaves the purchase pending.
 */
export type Adapter = {
  name: string;
  methods: readonly PurchaseMethod[];
  /** Whether no money moves. */
  testMode: boolean;
  start(purchase: Purchase, now: Date): Promise<Standing>;
  ask(purchase: Purchase, now: Date): Promise<Standing>;
  /** The purchases that a callback is about; none for one that is not signed as it should be. */
  readCallback(body: string, headers: Headers): Promise<readonly string[]>;
};
