import type { conditions, postCategories, purchaseMethods, updateTypes } from '../vocabularies.ts';
import type { PictureName } from './pictures/index.ts';

export type SeedSeller = {
  key: string;
  name: string;
  businessName: string | null;
  email: string;
  whatsapp: string | null;
  location: string | null;
  verified: 'admin' | 'chat' | null;
  suspended?: string;
};

type Bilingual = { en: string; fr: string };

type SeedState =
  /** `slot` counts from 1 in its lane, premium or standard. */
  | { kind: 'live'; slot?: number; endsInMinutes: number; startedHoursAgo: number }
  | { kind: 'queued' }
  | { kind: 'pending' }
  | { kind: 'rejected'; reason: Bilingual }
  | { kind: 'ended'; daysAgo: number; sold: boolean };

export type SeedListing = {
  key: string;
  seller: string;
  pictures: { name: PictureName; variant: number }[];
  name: Bilingual;
  description: Bilingual;
  price: number;
  category:
    | 'electronics'
    | 'fashion'
    | 'home_garden'
    | 'sports'
    | 'books'
    | 'health_beauty'
    | 'automotive'
    | 'toys'
    | 'food'
    | 'other';
  condition?: (typeof conditions)[number];
  listingType: 'standard' | 'featured';
  durationHours: 24 | 48 | 72 | 96 | 120;
  paymentMethod: 'mtn_momo' | 'orange_money' | 'cash';
  preferredSlot?: number;
  city: string;
  region: string;
  state: SeedState;
};

/** A row as an old import would leave it: a required field is missing. */
export type IncompleteListing = {
  key: string;
  seller: string;
  sellerWhatsapp: string | null;
  pictures: { name: PictureName; variant: number }[];
  name: { en: string; fr: string | null };
  description: { en: string | null; fr: string | null };
  price: number;
  category: SeedListing['category'] | null;
  listingType: SeedListing['listingType'];
  durationHours: SeedListing['durationHours'] | null;
  paymentMethod: SeedListing['paymentMethod'] | null;
  city: string | null;
  region: string | null;
  state: { kind: 'pending' };
};

/** A member of Connect who does not sell. */
export type SeedMember = {
  key: string;
  email: string;
  name: string;
  whatsapp: string;
  language: 'en' | 'fr';
};

/**
 * A service request with its updates and responses; times are minutes before the demo's first
 * start.
 */
export type SeedRequest = {
  owner: string;
  minutesAgo: number;
  title: string;
  description: string;
  category: (typeof postCategories)[number];
  location?: string;
  city: string;
  region: string;
  budget: [least: number | null, most: number | null];
  tags: string[];
  /** Without the owner's number. */
  number?: false;
  views: number;
  responses?: [member: string, minutesAgo: number][];
  updates?: [minutesAgo: number, type: (typeof updateTypes)[number], message: string][];
  closed?: number;
};

/** A pack of credits; cash is settled with a receipt, or waits. */
export type SeedPurchase = {
  member: string;
  method: (typeof purchaseMethods)[number];
  daysAgo: number;
  receipt?: string;
};
