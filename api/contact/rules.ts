import { type Ctx, inChat } from '../core/context.ts';

const hourMs = 3_600_000;

/** Settings that limit contact requests (decision 028). */
export type ContactLimits = {
  contactPerHour: number;
  contactPerDay: number;
  contactPerAddressPerHour: number;
  contactNewcomersFree: number;
  contactNewcomersPerHour: number;
  contactTurnSeconds: number;
  contactQuestionSeconds: number;
  contactHarvestProducts: number;
};
export const contactLimitNames = [
  'contactPerHour',
  'contactPerDay',
  'contactPerAddressPerHour',
  'contactNewcomersFree',
  'contactNewcomersPerHour',
  'contactTurnSeconds',
  'contactQuestionSeconds',
  'contactHarvestProducts',
] as const satisfies readonly (keyof ContactLimits)[];

export type ContactCounts = { hour: number; day: number; known: number; newcomers: number };

type Tally = { contacts: number; wrong: number };
export type NewcomerCounts = {
  /** Newcomers with a view older than a minute, and all others. */
  looked: Tally;
  others: Tally;
  /** Different products contacted; `given`: this one is among them. */
  numbers: number;
  given: boolean;
  /** Seconds since the last contact, and since a number was first given. */
  sinceLooked: number | null;
  sinceOther: number | null;
  sinceNumber: number | null;
  questions: number;
};

/** A fresh cookie must gain nothing: a visitor is known only this long after its first contact. */
const knownAfterHours = 24;
/** Age of a view that shows that a newcomer looks around. */
export const lookedAroundMs = 60_000;
export const questionLivesMs = 10 * 60_000;
const longestWaitSeconds = 60;
const stepOfWait = 20;
/** Kept per address and kind of newcomer. */
export const questionsKept = 300;

/** Stands for the address of all new chats, which share their limits (decision 028). */
export const newChats = 'chats';

type Newcomer = Pick<Ctx, 'actor' | 'via'> & { client: Pick<Ctx['client'], 'since'> };
/**
 * True for a visitor without an old enough cookie, and for a chat whose first contact, and whose
 * account, are no older. Accounts on the web have their own counts.
 */
export function isNewcomer({ actor, via, client: { since } }: Newcomer, now: Date): boolean {
  if (!inChat({ via }) && (actor.kind !== 'visitor' || via !== 'web')) return false;
  return !since || now.getTime() - since.getTime() < knownAfterHours * hourMs;
}

/**
 * Checks the limits (product §5). Known visitors and newcomers of an address have separate ones, so
 * that neither uses up the other's.
 */
export function withinLimits(
  counts: ContactCounts,
  limits: ContactLimits,
  newcomer: boolean,
): boolean {
  const own = counts.hour < limits.contactPerHour && counts.day < limits.contactPerDay;
  return own && (newcomer ? counts.newcomers : counts.known) < limits.contactPerAddressPerHour;
}

/** True without a cookie, or once this kind's half of the free contacts is used up. */
export function mustAnswer(
  so: NewcomerCounts,
  { contactNewcomersFree: free }: ContactLimits,
  visitor: { cookie: boolean; looked: boolean },
): boolean {
  const share = visitor.looked ? Math.ceil(free / 2) : Math.floor(free / 2);
  return !visitor.cookie || tallyOf(so, visitor.looked).contacts >= share;
}

export function waitSeconds(so: NewcomerCounts, limits: ContactLimits, looked: boolean): number {
  const { contacts, wrong } = tallyOf(so, looked);
  if (!looked && contacts >= beforeTurns(limits)) return longestWaitSeconds;
  return Math.min(
    longestWaitSeconds,
    limits.contactQuestionSeconds * (1 + Math.floor((contacts + wrong) / stepOfWait)),
  );
}

/**
 * Seconds until this contact's turn; 0 if none is needed. Turns spread an address's contacts and
 * new numbers over the hour, so that a burst blocks its newcomers for seconds, not for an hour.
 */
export function turnSeconds(so: NewcomerCounts, limits: ContactLimits, looked: boolean): number {
  const { contactTurnSeconds: between } = limits;
  const share = beforeTurns(limits);
  const ofKind = looked
    ? so.looked.contacts >= lookedBeforeTurns(limits) &&
      until(so.sinceLooked, lookedTurnSeconds(limits))
    : so.others.contacts >= share && until(so.sinceOther, between);
  return Math.max(Number(ofKind), numberTurnSeconds(so, limits));
}

/**
 * Seconds until a further number's turn. New chats take only these turns, so that a busy hour
 * costs an honest buyer one question.
 */
export function numberTurnSeconds(so: NewcomerCounts, limits: ContactLimits): number {
  if (so.given || so.numbers < beforeTurns(limits)) return 0;
  return until(so.sinceNumber, limits.contactTurnSeconds);
}

/** A new chat waits for its own wrong answers, twice as long with each. */
export const chatWaitSeconds = (wrong: number, limits: ContactLimits): number =>
  Math.min(longestWaitSeconds, limits.contactQuestionSeconds * 2 ** Math.min(wrong, 10));

const until = (since: number | null, apart: number): number =>
  since === null ? 0 : Math.max(0, Math.ceil(apart - since));

export const lookedBeforeTurns = ({ contactPerAddressPerHour: all }: ContactLimits): number =>
  Math.ceil(all / 2);

/** Spreads the rest of the address's limit, without the other newcomers' part, over the hour. */
export function lookedTurnSeconds(limits: ContactLimits): number {
  const rest =
    limits.contactPerAddressPerHour - lookedBeforeTurns(limits) - limits.contactNewcomersPerHour;
  return Math.min(longestWaitSeconds, hourMs / 1000 / Math.max(1, rest));
}

/** Hourly contacts and numbers before turns apply. */
export function beforeTurns({
  contactNewcomersPerHour: most,
  contactTurnSeconds: seconds,
}: ContactLimits): number {
  return Math.max(0, most - Math.floor(hourMs / 1000 / seconds));
}

const tallyOf = (so: NewcomerCounts, looked: boolean): Tally => (looked ? so.looked : so.others);

/** Quiet time that ends a harvest; the audit log gets one entry per address in it. */
export const harvestQuietMs = 6 * 3_600_000;

/** The setting or a third of the live products, but more than one visitor may ask for. */
export function harvestFrom(live: number, limits: ContactLimits): number {
  return Math.min(
    limits.contactHarvestProducts,
    Math.max(limits.contactPerHour + 1, Math.ceil(live / 3)),
  );
}

/** Link with a prefilled greeting; the number is E.164 (product §7). */
export function whatsappLink(number: string, greeting: string): string {
  return `https://wa.me/${number.replace(/^\+/, '')}?text=${encodeURIComponent(greeting)}`;
}
