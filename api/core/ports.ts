import type { schema } from '../../db/client.ts';
import type { paymentFailures, paymentNetworks } from '../../db/vocabularies.ts';
import type { Language } from '../../locales/languages.ts';

// Interfaces of services that higher layers implement; api/services.ts puts them together.

/** By `id` the mail server recognises a mail that is sent twice. */
export type Mail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Address that ends such mails by one click (RFC 8058). */
  unsubscribe?: string;
};
/** Sends a mail, or throws with the server's words, at the latest when the signal aborts. */
export type Mailer = { send(mail: Mail, signal?: AbortSignal): Promise<void>; close(): void };
/** Calls a push service. */
export type PushFetch = (endpoint: string, init: RequestInit) => Promise<Response>;

export type PaceName =
  | 'request'
  | 'chat'
  | 'media'
  | 'render'
  | 'event'
  | 'newcomer'
  | 'newcomerInSlot'
  | 'inSlot'
  | 'visitorInSlot'
  | 'suggestVisitor'
  | 'suggestAddress';

export type Turns = {
  /**
   * Waits for a turn; resolves to its release function. Returns undefined when the key's queue is
   * full.
   */
  take(key: string): Promise<() => void> | undefined;
  readonly active: number;
  readonly waiting: number;
};

export type Load = {
  /** Returns 0, or the milliseconds to wait. */
  take(pace: PaceName, key: string, now: Date): number;
  readonly reads: Record<'api' | 'page', Turns>;
  readonly streams: { perAddress: number; all: number };
  readonly changes: { max: number; windowSeconds: number };
};

/** `declared` is the content length in bytes; `hold` extends the timeout by seconds. */
export type UploadBody = {
  body: ReadableStream<Uint8Array> | null;
  declared: number | undefined;
  /** Keeps the connection open for so many seconds without an answer. */
  hold(seconds: number): void;
};

export type Challenge = { state: string; nonce: string; verifier: string };
/** `subject` never changes; `email` is proven. */
export type Identity = { subject: string; email: string; name: string };

export type SignInProvider = {
  begin(redirectUri: string, language: Language): Promise<{ url: string; challenge: Challenge }>;
  /**
   * Identity of the person who came back. Refuses `auth.providerDenied`, `auth.providerAway`,
   * `auth.providerUnproven` for an unproven address, and `auth.providerFailed` for anything that
   * cannot be trusted.
   * @param address full URL of the return
   */
  finish(address: URL, challenge: Challenge): Promise<Identity>;
};

export type Purchase = typeof schema.purchases.$inferSelect;
export type PaymentNetwork = (typeof paymentNetworks)[number];
export type PurchaseMethod = Purchase['purchaseMethod'];
export type Refund = typeof schema.refunds.$inferSelect;

/** State of a payment. `askAt: 'never'` leaves the decision to an admin. */
export type Standing =
  | { state: 'pending'; askAt: Date | 'never' }
  | { state: 'completed'; reference: string }
  | { state: 'failed'; why: (typeof paymentFailures)[number] };

/** State of money that a provider gives back; `failure` is its own code. */
export type RefundStanding =
  | { state: 'pending'; askAt: Date }
  | { state: 'completed'; reference: string }
  | { state: 'failed'; failure: string };

/** A line of a provider's list, numbered from 1 with the names of the columns. */
export type StatementLine = {
  line: number;
  /** Of the payment or refund, in lower case. */
  id: string;
  /** Null where the list does not say. */
  kind: 'payment' | 'refund' | null;
  /** Without sign. */
  amount: number;
  currency: string;
  /** False for one that failed or still waits. */
  moved: boolean;
  /** Day in UTC, as `2026-11-28`; null where the list does not say. */
  day: string | null;
};

/**
 * A payment provider (docs/payments.md). Only `ask` is trusted; a callback merely says when to ask.
 * `start` and `ask` run outside transactions, maybe twice per purchase, so pass the purchase's id
 * as idempotency key; both return within seconds or throw, which leaves the purchase pending.
 */
export type Adapter = {
  name: string;
  methods: readonly PurchaseMethod[];
  /** No money moves. */
  testMode: boolean;
  /** Milliseconds after which a pending purchase expires; it is still completed if paid later. */
  expiresMs?: number;
  /** Charges a mobile number. */
  needsNumber?: true;
  /** Network of a number in E.164; undefined if it is on none. Throws if the provider is away. */
  predict?(number: string): Promise<PaymentNetwork | undefined>;
  /** `payer`: number in E.164, if it needs one. */
  start(purchase: Purchase, now: Date, payer?: string): Promise<Standing>;
  ask(purchase: Purchase, now: Date): Promise<Standing>;
  /** Gives money back to the payer, under the refund's id; as `start` and `ask`. */
  refund?: {
    start(refund: Refund, now: Date): Promise<RefundStanding>;
    ask(refund: Refund, now: Date): Promise<RefundStanding>;
  };
  /** Reads the provider's own list of a day in CSV; `others` counts its fees and the like. */
  readStatement?(csv: string): { lines: StatementLine[]; others: number };
  /** Ids of the purchases concerned; none if the signature is wrong. */
  readCallback(body: string, headers: Headers): Promise<readonly string[]>;
};
