import type { Db } from '../../db/client.ts';
import type { vias } from '../../db/schema/operations.ts';
import type { Language } from '../../locales/languages.ts';
import type { Dns } from '../ops/dns.ts';
import type { Env } from '../ops/env.ts';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Reporter } from '../ops/reporter.ts';
import type { Storage } from '../ops/storage.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { DemoNetwork, DemoProvider } from './demoPorts.ts';
import type { Adapter, Load, Mailer, PushFetch, SignInProvider, UploadBody } from './ports.ts';

export type SellerOfActor = {
  id: string;
  name: string;
  whatsapp: string | null;
  location: string | null;
  businessName: string | null;
  /** Kept when the profile drops the number. */
  verifiedWhatsapp: string | null;
  verifiedBy: 'chat' | 'admin' | null;
  suspended: boolean;
  suspendedReason: string | null;
  suspendedAt: Date | null;
  /** When deletion of the account was requested. */
  leavingAt: Date | null;
};
/** `sessionId` is null in chats, `email` for accounts that began in a chat without a mailbox. */
type Person = {
  userId: string;
  sessionId: string | null;
  name: string;
  email: string | null;
  /** Version of the terms. */
  agreedTo: string | null;
};

/**
 * The acting party (product §6): from the session or linked chat, never from a parameter (product
 * R18).
 */
export type Actor =
  | { kind: 'visitor' }
  | ({ kind: 'member' } & Person)
  | ({ kind: 'seller'; seller: SellerOfActor } & Person)
  | ({ kind: 'moderator' } & Person)
  | ({ kind: 'admin'; seller: SellerOfActor | null } & Person)
  | { kind: 'job'; name: string };

/** The surface in use; rights are the same on all (decision 007). */
type Via = (typeof vias)[number];

export type Reception = {
  /**
   * Receives a photo and runs `work` on it, checking all it can before reading the body. Refuses
   * `uploads.tooManyAtOnce`, `uploads.tooOften`, `uploads.tooMany`, `uploads.tooBig`,
   * `uploads.tooSlow`, `uploads.busy`, and as `work` does.
   */
  receive<T>(
    ctx: Ctx,
    name: string,
    line: UploadBody,
    work: (bytes: Uint8Array) => Promise<T>,
  ): Promise<T>;
  readonly held: number;
};

/** Access to the outside world, replaceable in tests. */
export type Services = {
  env: Env;
  log: Log;
  reporter: Reporter;
  metrics: Metrics;
  storage: Storage;
  mailer: Mailer;
  pushFetch: PushFetch;
  dns: Dns;
  pictures: Pictures;
  reception: Reception;
  /** Enabled payment adapters; the first that accepts a method is used. */
  payments: readonly Adapter[];
  load: Load;
  google: SignInProvider | undefined;
  /** Plays Google in the demo. */
  demoProvider: DemoProvider | undefined;
  /** Plays Telegram in the demo. */
  demoNetwork: DemoNetwork | undefined;
  secret: string;
  /**
   * Least time of an answer that must not reveal by its timing whether an account exists; longer
   * than any of these calls.
   */
  equalTimeMs: number;
  /** Start of this process. */
  startedAt: Date;
  /** Aborted when the process must end; it still answers. */
  leaving: AbortSignal;
};

export type Ctx = {
  db: Db;
  actor: Actor;
  via: Via;
  /** The only clock; tests move it. */
  now: () => Date;
  language: Language;
  requestId: string;
  client: {
    /** Id from a signed cookie; in a chat, its transport and keyed hash. */
    visitor: string | null;
    /** First contact with a seller; in a chat, or when its account was made. */
    since?: Date | null;
    /** The id was created by this request. */
    unknown?: boolean;
    /** Keyed hash of the address; a chat has its own, as all come from one network. */
    addressHash: string;
    userAgent: string;
    /** E.164 number delivered by the chat transport, never typed. */
    number?: string;
    /** E.164 number computed from an old WhatsApp id; never proven. */
    oldNumber?: string;
  };
  services: Services;
  /** For jobs: when aborted, long work ends at a safe point. */
  signal?: AbortSignal;
};

export function userIdOf(actor: Actor): string | null {
  return 'userId' in actor ? actor.userId : null;
}

declare const open: unique symbol;
/** A context whose database is an open transaction; `inTransaction` alone makes one. */
export type Tx = Ctx & { readonly [open]: true };

export const inChat = ({ via }: Pick<Ctx, 'via'>): boolean =>
  via === 'telegram' || via === 'whatsapp';

/** Identifies a person to limits: by account, else chat or signed cookie. */
export function visitorKey({ actor, client }: Ctx): string {
  const account = userIdOf(actor);
  if (account) return `account:${account}`;
  if (!client.visitor) throw new Error('Whoever is counted needs a visitor id');
  return client.visitor;
}
