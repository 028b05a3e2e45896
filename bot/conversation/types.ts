import type { Joining } from '../../api/chats/join.ts';
import type { Button, Reply } from '../../api/chats/replies.ts';
import type { Choices } from '../../api/chats/rules.ts';
import type { Ctx } from '../../api/core/context.ts';
import type { Refusal } from '../../api/core/errors.ts';
import type { EngagementEvent } from '../../api/engagement/schema.ts';
import type { Chat } from '../../api/people/chats.ts';
import type { Translate } from '../../locales/keys.ts';
import type { Language, productLanguages } from '../../locales/languages.ts';
import type { Query } from './query.ts';

export type { Button, Reply };

/** What the bot asked last, and waits to be answered. */
export type Asked =
  /** Which language; then what was written is answered. */
  | { kind: 'language'; then: string }
  | { kind: 'contact'; product: string; slot: number }
  | { kind: 'reason'; product: string }
  | { kind: 'note'; product: string; reason: string }
  | { kind: 'act'; act: 'sold' | 'withdraw' | 'relist'; product: string }
  | { kind: 'code' }
  /** Question about linking the chat, by the hash of the code that was opened in it. */
  | { kind: 'link'; codeHash: string }
  /** Question about leaving an account that has no other chat and no mailbox. */
  | { kind: 'unlink' }
  /** The number of the chat's account, proven by a shared contact or, where the network delivers it, a yes. */
  | ({ kind: 'prove' } & Taking)
  /** An admin: why, in words that somebody reads; or whether to go on to the next one. */
  | { kind: 'why'; act: 'reject' | 'dismiss' | 'remove'; about: Decided }
  | { kind: 'onward'; list: AdminList; n: number }
  /** What a draft lacks, or what is changed of it; the draft itself is kept with its account. */
  | { kind: 'draft'; field: Field }
  | { kind: 'discard'; key: string }
  /** The answers of a person who joins; never a number. */
  | ({ kind: 'join'; step: 'name' | 'place' | 'terms' | 'number' | 'takeBack' } & Taking &
      Partial<Omit<Joining, 'takeBack'>>);

/** The key of a number that another account is to lose, and whether the person has agreed: a contact that was sent twice is no yes. */
export type Taking = { takes?: string; agreed?: true };

/** What an admin decides one by one, in the order of the list. */
export type AdminList = 'pending' | 'reports';
/** What is decided about: as an admin saw it, so that nothing unseen is. `id` is that of a product, or a post's reference. */
export type Decided = { what: 'product' | 'change' | 'listing' | 'post'; id: string; seen: string };

/** What is asked of a product, one thing at a time. */
export type Field =
  | 'photos'
  | `name.${ProductLanguage}`
  | `description.${ProductLanguage}`
  | 'category'
  | 'price'
  | 'listingType'
  | 'preferredFeaturedSlot'
  | 'durationHours'
  | 'sellerLocation'
  | 'businessName'
  | 'paymentMethod';
export type ProductLanguage = (typeof productLanguages)[number];

/** What became of a photo that came with a message: stored for a draft, or refused. Photos of one album come one after the other. */
export type TakenPhoto = { album?: string } & ({ id: string } | { refused: Refusal });

/** Where a conversation is: kept with its chat, so that neither silence nor a restart loses it. Every part can be missing. */
export type State = {
  awaits?: Asked;
  /** When that was asked. */
  askedAt?: string;
  /** What numbers say, where the last buttons were shown as numbered lines. */
  choices?: Choices;
  /** What was looked for last, and how many were shown of it. */
  query?: Query;
  shown?: number;
  /** The ids of one's own listings, as they were numbered last. */
  mine?: string[];
  /** The album whose photos were announced last: the others of it are kept without a word. */
  album?: string;
  /** Up to when responses were read. */
  responsesAt?: string;
  /** What an admin was shown last, and as which of its list. */
  decides?: Decided & { n: number };
};

/** One turn of the conversation, handed to every command. */
export type Turn = {
  /** Who writes; the database is the turn's own transaction. */
  ctx: Ctx;
  chat: Pick<Chat, 'keyHash' | 'transport' | 'language' | 'notices'>;
  state: State;
  t: Translate<'bot'>;
  /** What this turn changes of the chat beside its state. */
  changes: { language?: Language; notices?: boolean };
  /** What is asked again where a verb refuses what was answered. */
  again?: Asked;
  /** The photos that came with the message. */
  photos: TakenPhoto[];
  /** What was looked at: counted when the answer is kept. */
  seen: EngagementEvent[];
};

/** What came with a command: the words behind it, as typed and as they are compared. */
export type Args = { text: string; words: string[] };
export type Answer = Reply | Reply[];
export type Handler = (turn: Turn, args: Args) => Promise<Answer> | Answer;
