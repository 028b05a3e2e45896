import { before } from './connect/before.ts';
import { today } from './connect/today.ts';
import { nobody } from './numbers.ts';
import type { SeedMember, SeedPurchase, SeedRequest } from './types.ts';

const member = (
  key: string,
  last: number,
  name: string,
  language: SeedMember['language'],
): SeedMember => ({
  key,
  email: `${key}@demo.marche54.example`,
  name,
  whatsapp: nobody(last),
  language,
});

/** People on Connect who do not sell; sellers are members too. */
export const members: SeedMember[] = [
  member('agnes', 201, 'Agnès Colette', 'fr'),
  member('boris', 202, 'Boris Thierry', 'fr'),
  member('clarisse', 203, 'Clarisse Aude', 'fr'),
  member('delphine', 204, 'Delphine Laure', 'fr'),
  member('emmanuel', 205, 'Emmanuel Peter', 'en'),
  member('fadimatou', 206, 'Fadimatou Aïssa', 'fr'),
  member('gerald', 207, 'Gerald Moses', 'en'),
  member('hilda', 208, 'Hilda Patience', 'en'),
  member('jules', 209, 'Jules Armand', 'fr'),
  member('lovette', 210, 'Lovette Blessing', 'en'),
  member('martin', 211, 'Martin Didier', 'fr'),
  member('nadege', 212, 'Nadège Flore', 'fr'),
];

/** Each in its writer's language. */
export const requests: SeedRequest[] = [...today, ...before];

/** Credits members joined with in the demo's past. */
export const joiningOffer = 5;
export const purchases: SeedPurchase[] = [
  { member: 'mireille', method: 'mobile_money', daysAgo: 25 },
  { member: 'gerald', method: 'mobile_money', daysAgo: 24 },
  { member: 'jules', method: 'stripe', daysAgo: 19 },
  { member: 'boris', method: 'stripe', daysAgo: 16 },
  { member: 'lovette', method: 'mobile_money', daysAgo: 15.5 },
  { member: 'hilda', method: 'mobile_money', daysAgo: 14.5 },
  { member: 'mireille', method: 'stripe', daysAgo: 12 },
  { member: 'emmanuel', method: 'mobile_money', daysAgo: 10.9 },
  { member: 'clarisse', method: 'stripe', daysAgo: 8.5 },
  { member: 'delphine', method: 'cash_partner', daysAgo: 6, receipt: 'BAF-0118' },
  { member: 'fadimatou', method: 'mobile_money', daysAgo: 4.5 },
  { member: 'nadege', method: 'cash_partner', daysAgo: 0.2 },
];

export const reported = {
  owner: 'hilda',
  title: 'Swimming teacher for two children',
  reason: 'other',
  note: 'This is a private lesson, not a service. Is it allowed here?',
} as const;
