/** Sender of a message, as far as the transport says. */
export type Sender = {
  /** Phone number (E.164) that the transport itself delivered, so it is proven. */
  number?: string;
  /** Number computed from an id of before November 2014; proves nothing (decision 047). */
  oldNumber?: string;
};

export type Message = Sender & {
  text: string;
  /** Language of the person's app, where the transport says it. */
  language?: string;
  /** Id of typed words, and of those that they replace. Hashed where ids hold a number. */
  id?: string;
  edits?: string;
  /** ISO; set if the transport may deliver late. */
  at?: string;
  /** Proves nothing, and its number is not stored. */
  anothersContact?: true;
  /** Neither text nor photo: a voice message, sticker, video or location. */
  wordless?: true;
  photos?: PhotoRef[];
  /** Id of the bot's message whose button was pressed. */
  pressed?: string;
};
/** Photos sent together share an `album`, where the transport says so. */
export type PhotoRef = { ref: string; album?: string };

/** Transports without contact sharing leave out `askForContact`. */
export type Button =
  /** `row` is its line in a list, where a network has lists. */
  | { label: string; say: string; row?: { title: string; description: string } }
  | { label: string; url: string }
  | { label: string; askForContact: true };
/**
 * `picture` is a storage key. `replaces` is the bot's message that the reply takes the place of,
 * where the network can change it and it is the newest.
 */
export type Reply = {
  text: string;
  picture?: string;
  buttons?: Button[][];
  replaces?: string;
};
