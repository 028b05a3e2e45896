import type { Db } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { Reception } from '../uploads/reception.ts';
import type { Env } from './env.ts';
import type { Load } from './load.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail.ts';
import type { Reporter } from './reporter.ts';
import type { Storage } from './storage.ts';

/** The seller profile of the person who acts. */
export type SellerOfActor = {
  id: string;
  name: string;
  whatsapp: string | null;
  location: string | null;
  businessName: string | null;
  /** The number that was verified, which the profile may carry no more. */
  verifiedWhatsapp: string | null;
  verifiedBy: 'chat' | 'admin' | null;
  suspended: boolean;
  suspendedReason: string | null;
  suspendedAt: Date | null;
};
type Person = { userId: string; sessionId: string; name: string; email: string };

/** Who acts (product §6, architecture): decided once, from the session, never from a parameter (product R18). */
export type Actor =
  | { kind: 'visitor' }
  | ({ kind: 'member' } & Person)
  | ({ kind: 'seller'; seller: SellerOfActor } & Person)
  | ({ kind: 'admin'; seller: SellerOfActor | null } & Person)
  | { kind: 'chat'; channel: 'telegram' | 'whatsapp'; account: string; sellerId: string | null }
  | { kind: 'job'; name: string };

/** What the rooms use of the outside world; tests hand in their own. */
export type Services = {
  env: Env;
  log: Log;
  reporter: Reporter;
  storage: Storage;
  mailer: Mailer;
  pictures: Pictures;
  reception: Reception;
  load: Load;
  secret: string;
};

/** What every verb and read gets first: the data, who asks, when, in which language, and under which request id. */
export type Ctx = {
  db: Db;
  actor: Actor;
  /** The one clock. Tests move it; nothing else asks for the time. */
  now: () => Date;
  language: Language;
  requestId: string;
  /** Who asks without an account. */
  client: {
    /** A signed cookie's id, when the visitor has one. */
    visitor: string | null;
    /** When this visitor first reached a seller, as the signed cookie has it. */
    since?: Date | null;
    /** The visitor came without a cookie: the id was given with this very request. */
    unknown?: boolean;
    /** A keyed hash of the network address. */
    addressHash: string;
    userAgent: string;
  };
  services: Services;
  /** Set for jobs: the process is stopping, and long work should end at the next good place. */
  signal?: AbortSignal;
};

/** The account behind an actor, when there is one. */
export function userIdOf(actor: Actor): string | null {
  return 'userId' in actor ? actor.userId : null;
}
