import type { Ctx } from '../core/context.ts';

const hourMs = 3_600_000;

/** Limits of contact requests (decision 028); all are settings. */
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

/** Contacts so far: of this visitor in an hour and a day; of this address in an hour, by known visitors and by newcomers. */
export type ContactCounts = { hour: number; day: number; known: number; newcomers: number };

/** Rightly or freely made contacts, and wrong answers, of one kind of newcomer at an address in an hour. */
type Tally = { contacts: number; wrong: number };
/** The last hour of an address's newcomers. */
export type NewcomerCounts = {
  /** Newcomers whose cookie had a view counted a minute before, and all the others. */
  looked: Tally;
  others: Tally;
  /** Different products whose contact was given, and whether the one now asked for is among them. */
  numbers: number;
  given: boolean;
  /** Seconds since the last contact of each kind, and since a number was given for the first time; null without one. */
  sinceLooked: number | null;
  sinceOther: number | null;
  sinceNumber: number | null;
  /** Questions on record. */
  questions: number;
};

/** Time since the first contact that makes a visitor known: a cookie made for the occasion, or an hour ago, gains nothing. */
const knownAfterHours = 24;
/** Time since a counted view that tells a newcomer who looks around from one who only asks. */
export const lookedAroundMs = 60_000;
export const questionLivesMs = 10 * 60_000;
/** The longest that a question makes wait. */
const longestWaitSeconds = 60;
/** Contacts and wrong answers after which the wait grows by one more step. */
const stepOfWait = 20;
/** Open questions, and wrong answers, on record for an address and each kind of newcomer; the oldest make room. */
export const questionsKept = 300;

type Newcomer = Pick<Ctx, 'actor' | 'via'> & { client: Pick<Ctx['client'], 'since'> };
/** True for a visitor without an old enough cookie. Accounts and chats have counts of their own. */
export function isNewcomer({ actor, via, client: { since } }: Newcomer, now: Date): boolean {
  if (actor.kind !== 'visitor' || via !== 'web') return false;
  return !since || now.getTime() - since.getTime() < knownAfterHours * hourMs;
}

/**
 * Judges one more request by the limits (product §5: the check must pass). Known visitors and newcomers of an address
 * have its number each, so that neither uses up the other's.
 */
export function withinLimits(
  counts: ContactCounts,
  limits: ContactLimits,
  newcomer: boolean,
): boolean {
  const own = counts.hour < limits.contactPerHour && counts.day < limits.contactPerDay;
  return own && (newcomer ? counts.newcomers : counts.known) < limits.contactPerAddressPerHour;
}

/** True for a newcomer without a cookie, and for one with a cookie once the free half of its kind is used up. */
export function mustAnswer(
  so: NewcomerCounts,
  { contactNewcomersFree: free }: ContactLimits,
  visitor: { cookie: boolean; looked: boolean },
): boolean {
  const share = visitor.looked ? Math.ceil(free / 2) : Math.floor(free / 2);
  return !visitor.cookie || tallyOf(so, visitor.looked).contacts >= share;
}

/** Seconds before a question may be answered: more with every twenty contacts and wrong answers of the same kind of newcomer, a minute at most. */
export function waitSeconds(so: NewcomerCounts, limits: ContactLimits, looked: boolean): number {
  const { contacts, wrong } = tallyOf(so, looked);
  if (!looked && contacts >= beforeTurns(limits)) return longestWaitSeconds;
  return Math.min(
    longestWaitSeconds,
    limits.contactQuestionSeconds * (1 + Math.floor((contacts + wrong) / stepOfWait)),
  );
}

/**
 * Seconds until this contact's turn; 0 when it needs none. An address's newcomers take turns beyond the share of their kind, and
 * for numbers that none of them has had in this hour. Turns spread what is left of a limit over the hour, so a burst closes an
 * address to its newcomers for seconds, not for an hour.
 */
export function turnSeconds(so: NewcomerCounts, limits: ContactLimits, looked: boolean): number {
  const { contactTurnSeconds: between } = limits;
  const share = beforeTurns(limits);
  const until = (since: number | null, apart: number) =>
    since === null ? 0 : Math.max(0, Math.ceil(apart - since));
  const ofKind = looked
    ? so.looked.contacts >= lookedBeforeTurns(limits) &&
      until(so.sinceLooked, lookedTurnSeconds(limits))
    : so.others.contacts >= share && until(so.sinceOther, between);
  const ofNumber = !so.given && so.numbers >= share && until(so.sinceNumber, between);
  return Math.max(Number(ofKind), Number(ofNumber));
}

/** Contacts in an hour, of newcomers who looked around, ahead of their turns: half of the address's limit. */
export const lookedBeforeTurns = ({ contactPerAddressPerHour: all }: ContactLimits): number =>
  Math.ceil(all / 2);

/** Seconds between two turns of newcomers who looked around: the rest of the address's limit, less the other newcomers', over the hour. */
export function lookedTurnSeconds(limits: ContactLimits): number {
  const rest =
    limits.contactPerAddressPerHour - lookedBeforeTurns(limits) - limits.contactNewcomersPerHour;
  return Math.min(longestWaitSeconds, hourMs / 1000 / Math.max(1, rest));
}

/** Contacts, and different numbers, in an hour ahead of the turns: the setting less the turns of an hour. */
export function beforeTurns({
  contactNewcomersPerHour: most,
  contactTurnSeconds: seconds,
}: ContactLimits): number {
  return Math.max(0, most - Math.floor(hourMs / 1000 / seconds));
}

const tallyOf = (so: NewcomerCounts, looked: boolean): Tally => (looked ? so.looked : so.others);

/** Milliseconds without another sign of it until a harvest is over; the audit log has one line an address in this time. */
export const harvestQuietMs = 6 * 3_600_000;

/**
 * From how many different products on the newcomers of one address look like a harvest: the setting, or a third of what is live, but
 * always more than one visitor alone may ask for.
 */
export function harvestFrom(live: number, limits: ContactLimits): number {
  return Math.min(
    limits.contactHarvestProducts,
    Math.max(limits.contactPerHour + 1, Math.ceil(live / 3)),
  );
}

/** The messaging-app link with a prefilled greeting; the number is E.164 (product §7). */
export function whatsappLink(number: string, greeting: string): string {
  return `https://wa.me/${number.replace(/^\+/, '')}?text=${encodeURIComponent(greeting)}`;
}
