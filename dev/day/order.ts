/**
 * Phases an answer can belong to, the strongest first: a kill, a restore (on the same cores, unlike
 * production), the peak, other work on the market, the start, and the rest.
 */
export const phases = ['kill', 'restoring', 'peak', 'work', 'warm', 'quiet'] as const;
export type Phase = (typeof phases)[number];

/** Kinds of requests, as named in the table. */
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

/** A stall with the files its page loads. */
export type Stall = { slotId: number; productId: string; path: string; photos: string[] };

/** The generator's task; times in seconds from the start. */
export type Order = {
  home: string;
  seed: number;
  seconds: number;
  /** Visits at the ordinary rate over all seconds. */
  visits: number;
  peak: { from: number; to: number; times: number };
  /** Factor on people's pauses: below 1 in a short run. */
  pace: number;
  lineSeconds: number;
  /**
   * Makes the first visits ask for a number and sign in, which few visits might never do by chance.
   */
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
  /** Path of the photo that sellers upload. */
  photo: string;
};

export type ToGenerator = { begin: Order } | { phase: Phase } | { end: true };

/** Acknowledged writes of one act, and its unanswered requests. */
export type Written = { texts: string[]; unheard: number };
export type Report = {
  seconds: number;
  visits: number;
  /** Milliseconds until the first byte, by phase and kind. */
  firstByte: Partial<Record<Phase, Partial<Record<Kind, number[]>>>>;
  /** The same of all kinds, by planned second. */
  bySecond: Record<number, number[]>;
  /** Delay in ms of sent requests, by phase. */
  late: Partial<Record<Phase, number[]>>;
  /** Other answers than intended, by phase: `503 retry-after photo` and how often. */
  refused: Partial<Record<Phase, Record<string, number>>>;
  /** By phase: 5xx other than 503 with Retry-After, and requests without an answer. */
  faults: Partial<Record<Phase, Record<string, number>>>;
  written: Record<string, Written>;
  uploaded: string[];
  lines: { opened: number; most: number; lost: number; changes: number };
};
export type FromGenerator = { begun: true } | { open: number; visits: number } | { report: Report };
