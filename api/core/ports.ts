import type { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Message, Reply } from './chatMessages.ts';

// Interfaces of services that higher layers implement; api/services.ts puts them together.

/** By `id` the mail server recognises a mail that is sent twice. */
export type Mail = { id: string; to: string; subject: string; text: string; html: string };
/** Sends a mail, or throws with the server's words, at the latest when the signal aborts. */
export type Mailer = { send(mail: Mail, signal?: AbortSignal): Promise<void>; close(): void };

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

export type Purchase = typeof schema.creditPurchases.$inferSelect;
export type PurchaseMethod = Purchase['purchaseMethod'];

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

export type DemoPerson = { email: string; name: string; proven: boolean };

/** Plays Google in the demo. */
export type DemoProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  fetch: typeof fetch;
  /** Null cancels. Returns the next URL; undefined if the sign-in expired. */
  choose(uid: string, person: DemoPerson | null): Promise<string | undefined>;
  close(): Promise<void>;
};

export type DemoMessage = Reply & {
  id: number;
  mine: boolean;
  at: string;
  photo?: string;
  shared?: true;
};
export type Heard = { address: string; updateId: string; message: Message };

/** Plays Telegram in the demo. */
export type DemoNetwork = {
  /** Returns a function that stops listening. */
  listen(to: (heard: Heard) => Promise<void>, onForgotten: (address: string) => void): () => void;
  readonly open: boolean;
  /** Hands a message to the bot; none is lost. */
  write(
    address: string,
    said: { text: string; number?: string | undefined; photo?: Uint8Array | undefined },
  ): Promise<void>;
  show(address: string, reply: Reply): void;
  read(address: string, after?: number): DemoMessage[];
  /** Waits for an answer after that line, at most so many milliseconds. */
  news(address: string, after: number, ms: number): Promise<void>;
  photo(ref: string): { address: string; bytes: Uint8Array } | undefined;
  addresses(): string[];
  forget(address: string): void;
};
