import type { Choices } from '../../api/chats/rules.ts';
import type { productLanguages } from '../../locales/languages.ts';
import type { Query } from './query.ts';

/** The open question of a chat. */
export type Asked =
  /** `then` is the message to answer afterwards. */
  | { kind: 'language'; then: string }
  | { kind: 'contact'; product: string; slot: number }
  /** The question before a number, as put, and its sealed token. */
  | { kind: 'newcomer'; product: string; slot: number; asks: string; token: string }
  | { kind: 'reason'; product: string }
  | { kind: 'note'; product: string; reason: string }
  | { kind: 'act'; act: 'sold' | 'withdraw' | 'relist'; product: string }
  | { kind: 'code' }
  /** The code opened in the chat. */
  | { kind: 'link'; codeHash: string }
  /** Leaving an account that has no other chat and no mailbox. */
  | { kind: 'unlink' }
  /** By a shared contact or, where the transport delivers the number, a yes. */
  | ({ kind: 'prove' } & Taking)
  | { kind: 'why'; act: 'reject' | 'dismiss' | 'remove'; about: Decided }
  /** The moderators' role of the account with this address. */
  | { kind: 'team'; act: 'give' | 'take'; email: string }
  | { kind: 'onward'; list: AdminList; n: number }
  /** The draft itself is stored with the account. */
  | { kind: 'draft'; field: Field }
  | { kind: 'discard'; key: string }
  /** Never holds a number. */
  | ({
      kind: 'join';
      step: 'name' | 'place' | 'town' | 'region' | 'terms' | 'number' | 'takeBack';
    } & Taking &
      Partial<{ name: string; location: string; anew: boolean }> & {
        /** Versions of the terms that were shown, and agreed to. */
        shown?: string;
        agreedTo?: string;
      });

/**
 * Keyed hash of a number another account will lose. Consent is explicit: a contact may be sent
 * twice.
 */
export type Taking = { takes?: string; agreed?: true };

export type AdminList = 'pending' | 'reports';
/**
 * `seen` is the version shown, so that an unseen one is never decided. `id` is a product's id or a
 * post's reference.
 */
export type Decided = { what: 'product' | 'change' | 'listing' | 'post'; id: string; seen: string };

export type Field =
  | 'photos'
  | `name.${ProductLanguage}`
  | `description.${ProductLanguage}`
  | 'sameText'
  | 'category'
  | 'condition'
  | 'price'
  | 'listingType'
  | 'preferredFeaturedSlot'
  | 'durationHours'
  | 'sellerLocation'
  | 'businessName'
  | 'paymentMethod';
export type ProductLanguage = (typeof productLanguages)[number];

/** Kept with a chat, so that it survives restarts. Every part is optional. */
export type State = {
  awaits?: Asked;
  /** When the open question, or the item that bare decisions are about, was first shown. */
  askedAt?: string;
  /** The last message that answered a question of a form, and the question. */
  answered?: { id: string; asked: Asked };
  /** Texts behind numbered lines, and when they were printed. */
  choices?: Choices;
  offeredAt?: string;
  /** Choices of the list before, while only numbers are written. */
  earlier?: Choices;
  /** Texts behind buttons that are too long for their network. */
  keys?: Record<string, string>;
  query?: Query;
  shown?: number;
  /** The card shown last, which "it" means. */
  card?: { slot: number; code: string };
  /** Code of the own listing shown last. */
  own?: string;
  /** Labels of the last answer's buttons, with what each sends. */
  labels?: Record<string, string>;
  /** The language was guessed: by words of the person, or without any. */
  guessed?: 'words' | 'nothing';
  /** Version of the terms that the chat has asked about. */
  termsAsked?: string;
  /** As last numbered. */
  mine?: string[];
  alerts?: string[];
  /** Its first photo was answered; the others get no reply. */
  album?: string;
  /** Newest response already shown. */
  responsesAt?: string;
  /** Last item shown, for decisions without arguments. */
  decides?: Decided & { n: number };
};
