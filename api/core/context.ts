import type { Db } from '../../db/client.ts';
import type { vias } from '../../db/schema/operations.ts';
import type { Language } from '../../locales/languages.ts';
import type { SignInProvider } from '../auth/provider.ts';
import type { DemoNetwork } from '../demo/network.ts';
import type { DemoProvider } from '../demo/signInProvider.ts';
import type { Adapter } from '../payments/adapter.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { Reception } from '../uploads/reception.ts';
import type { Dns } from './dns.ts';
import type { Env } from './env.ts';
import type { Load } from './load.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail.ts';
import type { Metrics } from './metrics.ts';
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
  /** When the person asked for the account to be deleted. */
  leavingAt: Date | null;
};
/** `sessionId` is null in a chat, which has none: being linked is what lets it act. `email` is null where the account began in a chat and has no mailbox. */
type Person = { userId: string; sessionId: string | null; name: string; email: string | null };

/** Who acts (product §6): decided once, from the session or the linked chat, never from a parameter (product R18). */
export type Actor =
  | { kind: 'visitor' }
  | ({ kind: 'member' } & Person)
  | ({ kind: 'seller'; seller: SellerOfActor } & Person)
  | ({ kind: 'admin'; seller: SellerOfActor | null } & Person)
  | { kind: 'job'; name: string };

/** Through what somebody acts. It changes no right: whoever is an admin on the web is one in their chat (decision 033). */
type Via = (typeof vias)[number];

/** What the rooms use of the outside world; tests hand in their own. */
export type Services = {
  env: Env;
  log: Log;
  reporter: Reporter;
  metrics: Metrics;
  storage: Storage;
  mailer: Mailer;
  dns: Dns;
  pictures: Pictures;
  reception: Reception;
  /** The ways to be paid that are open: of those that take a method, the first. */
  payments: readonly Adapter[];
  load: Load;
  /** Sign-in with Google; nothing where it is not configured. */
  google: SignInProvider | undefined;
  /** What stands for Google in the demo. */
  demoProvider: DemoProvider | undefined;
  /** What stands for Telegram in the demo. */
  demoNetwork: DemoNetwork | undefined;
  secret: string;
  /** Aborted when the process has been asked to end: it still answers, and is no longer ready for more. */
  leaving: AbortSignal;
};

/** What every verb and read gets first: the data, who asks, when, in which language, and under which request id. */
export type Ctx = {
  db: Db;
  actor: Actor;
  via: Via;
  /** The one clock. Tests move it; nothing else asks for the time. */
  now: () => Date;
  language: Language;
  requestId: string;
  /** Who asks without an account. */
  client: {
    /** A signed cookie's id, when the visitor has one; a chat's transport and keyed hash. */
    visitor: string | null;
    /** When this visitor first reached a seller, as the signed cookie has it. */
    since?: Date | null;
    /** The visitor came without a cookie: the id was given with this very request. */
    unknown?: boolean;
    /** A keyed hash of the network address; a chat's own, since all of them come from one network. */
    addressHash: string;
    userAgent: string;
    /** The phone number (E.164) that the transport of a chat itself delivered, never one that was typed; no request through a door has it. */
    number?: string;
  };
  services: Services;
  /** Set for jobs: the process is stopping, and long work should end at the next good place. */
  signal?: AbortSignal;
};

/** The account behind an actor, when there is one. */
export function userIdOf(actor: Actor): string | null {
  return 'userId' in actor ? actor.userId : null;
}

/** Whether somebody writes in a chat. */
export const inChat = ({ via }: Pick<Ctx, 'via'>): boolean =>
  via === 'telegram' || via === 'whatsapp';

/** Who limits and counts take somebody for: the account, wherever it acts; else the chat, or the visitor's signed cookie. */
export function visitorKey({ actor, client }: Ctx): string {
  const account = userIdOf(actor);
  if (account) return `account:${account}`;
  if (!client.visitor) throw new Error('Whoever is counted needs a visitor id');
  return client.visitor;
}
