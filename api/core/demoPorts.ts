import type { Message, Reply } from './chatMessages.ts';

// Interfaces of what plays other parties in the demo; api/demo implements them.

export type DemoPerson = { email: string; name: string; proven: boolean };

/** Plays Google in the demo. */
export type DemoProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  fetch: typeof fetch;
  /** Null cancels. Returns the next URL; undefined if the sign-in expired. */
  choose(uid: string, person: DemoPerson | null): Promise<string | undefined>;
  close(): Promise<void>;
};

export type DemoMessage = Reply & {
  id: number;
  mine: boolean;
  at: string;
  photo?: string;
  shared?: true;
};
export type Heard = { address: string; updateId: string; message: Message };

/** Plays Telegram in the demo. */
export type DemoNetwork = {
  /** Returns a function that stops listening. */
  listen(to: (heard: Heard) => Promise<void>, onForgotten: (address: string) => void): () => void;
  readonly open: boolean;
  /** Hands a message to the bot; none is lost. */
  write(
    address: string,
    said: { text: string; number?: string | undefined; photo?: Uint8Array | undefined },
  ): Promise<void>;
  show(address: string, reply: Reply): void;
  read(address: string, after?: number): DemoMessage[];
  /** Waits for an answer after that line, at most so many milliseconds. */
  news(address: string, after: number, ms: number): Promise<void>;
  photo(ref: string): { address: string; bytes: Uint8Array } | undefined;
  addresses(): string[];
  forget(address: string): void;
};
