import type { Counts } from './histogram.ts';

/**
 * The time that an answer belongs to, the strongest first: while a process was killed, while a backup was restored beside the market (on the same two
 * cores, which production has elsewhere), the tenfold minutes, while something else was done to the market, the start, and all other time.
 */
export const phases = ['kill', 'restoring', 'peak', 'work', 'warm', 'quiet'] as const;
export type Phase = (typeof phases)[number];

/** Everything that is asked of the market, by the name in the table. */
export const kinds = [
  'home',
  'product',
  'stalls',
  'file',
  'photo',
  'list',
  'event line',
  'event',
  'contact',
  'sign in',
  'own page',
  'upload',
  'chat',
  'admin page',
  'admin act',
] as const;
export type Kind = (typeof kinds)[number];
/** Answered from memory, without the database. */
export const kept: ReadonlySet<Kind> = new Set<Kind>(['home', 'product', 'stalls', 'file']);

/** A stall with what its page loads. */
export type Stall = { slotId: number; productId: string; path: string; photos: string[] };

/** What the generator is to do; times in seconds from the start. */
export type Order = {
  home: string;
  seed: number;
  seconds: number;
  /** Visits at the ordinary rate over all seconds. */
  visits: number;
  peak: { from: number; to: number; times: number };
  /** Factor for the pauses of people: below 1 in a short run. */
  pace: number;
  lineSeconds: number;
  /** Lets the first visits each ask for a number and sign in, where a few visits would not by chance. */
  everyone: boolean;
  uploads: number;
  chats: number;
  stalls: Stall[];
  /** Scripts and styles of the home page, and the photos of its cards. */
  files: string[];
  cards: string[];
  members: { email: string; password: string; userId: string }[];
  /** Cookies. */
  sellers: string[];
  admin: string;
  /** File with the photo that sellers send. */
  photo: string;
};

export type ToGenerator = { begin: Order } | { phase: Phase } | { end: true };

/** Acknowledged writes of one act, and how many requests for it had no answer. */
export type Written = { texts: string[]; unheard: number };
export type Report = {
  seconds: number;
  visits: number;
  /** By phase and kind. */
  firstByte: Partial<Record<Phase, Partial<Record<Kind, Counts>>>>;
  /** Of all kinds, by the second that they were planned for. */
  bySecond: Record<number, Counts>;
  /** How late requests were sent, by phase. */
  late: Partial<Record<Phase, Counts>>;
  /** By phase, what was answered other than wished: `503 retry-after photo` and how often. */
  refused: Partial<Record<Phase, Record<string, number>>>;
  /** By phase, 5xx other than 503 with Retry-After, and requests without an answer. */
  faults: Partial<Record<Phase, Record<string, number>>>;
  written: Record<string, Written>;
  /** Addresses of the photos that were uploaded. */
  uploaded: string[];
  lines: { opened: number; most: number; lost: number; changes: number };
};
export type FromGenerator = { begun: true } | { open: number; visits: number } | { report: Report };
