import type { Ctx } from '../core/context.ts';

const hourMs = 3_600_000;

/** Limits of contact requests (decision 028); all are settings. */
export type ContactLimits = {
  contactPerHour: number;
  contactPerDay: number;
  contactPerAddressPerHour: number;
  contactNewcomersFree: number;
  contactNewcomersPerHour: number;
  contactQuestionSeconds: number;
  contactHarvestProducts: number;
};
export const contactLimitNames = [
  'contactPerHour',
  'contactPerDay',
  'contactPerAddressPerHour',
  'contactNewcomersFree',
  'contactNewcomersPerHour',
  'contactQuestionSeconds',
  'contactHarvestProducts',
] as const satisfies readonly (keyof ContactLimits)[];

/** What was asked for so far: by this visitor in an hour and a day; by this address in an hour: in all, by newcomers, questions put, and those of them not answered rightly. */
export type ContactCounts = { hour: number; day: number; addressHour: number; newcomers: number; questions: number; unsolved: number };

/** How long ago a visitor must have reached a seller for the first time to be known: a cookie made for the occasion, or an hour ago, gains nothing. */
const knownAfterHours = 24;
/** Questions that one address is put in an hour, for each newcomer that may pass. */
const questionsPerNewcomer = 3;
export const questionLivesMs = 10 * 60_000;
const longestWaitSeconds = 60;

type Newcomer = Pick<Ctx, 'actor' | 'via'> & { client: Pick<Ctx['client'], 'since'> };
/** Whether the market does not know this visitor yet. Who has an account, or a chat, is counted by that. */
export function isNewcomer({ actor, via, client: { since } }: Newcomer, now: Date): boolean {
  if (actor.kind !== 'visitor' || via !== 'web') return false;
  return !since || now.getTime() - since.getTime() < knownAfterHours * hourMs;
}

/** Whether one more request is within the limits (product §5: the check must pass). */
export function withinLimits(counts: ContactCounts, limits: ContactLimits, newcomer: boolean): boolean {
  const own = counts.hour < limits.contactPerHour && counts.day < limits.contactPerDay;
  return own && counts.addressHour < limits.contactPerAddressPerHour && (!newcomer || counts.newcomers < limits.contactNewcomersPerHour);
}

/** Whether a newcomer answers a question first: without a cookie always, with one when the address has had its first few in this hour. */
export function mustAnswer(counts: ContactCounts, limits: ContactLimits, cookie: boolean): boolean {
  return !cookie || counts.newcomers >= limits.contactNewcomersFree;
}

/** Whether an address may be put another question in this hour. */
export function mayBeAsked(counts: ContactCounts, limits: ContactLimits): boolean {
  return counts.questions < questionsPerNewcomer * limits.contactNewcomersPerHour;
}

/** Seconds before a question may be answered: more with every twenty newcomers and unsolved questions of the address in this hour, a minute at most. */
export function waitSeconds(counts: ContactCounts, { contactQuestionSeconds: base }: ContactLimits): number {
  return Math.min(longestWaitSeconds, base * (1 + Math.floor((counts.newcomers + counts.unsolved) / 20)));
}

/**
 * From how many different products on the newcomers of one address look like a harvest: the setting, or a third of what is live, but
 * always more than one visitor alone may ask for.
 */
export function harvestFrom(live: number, limits: ContactLimits): number {
  return Math.min(limits.contactHarvestProducts, Math.max(limits.contactPerHour + 1, Math.ceil(live / 3)));
}

/** The messaging-app link with a prefilled greeting; the number is E.164 (product §7). */
export function whatsappLink(number: string, greeting: string): string {
  return `https://wa.me/${number.replace(/^\+/, '')}?text=${encodeURIComponent(greeting)}`;
}
