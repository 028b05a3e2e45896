/** What the market and the process of WhatsApp Web say to each other (IPC). */

/** What that process is started with: all it knows. */
export type Settings = {
  /** Where the session is kept. */
  folder: string;
  chromium: string;
  /** Without a number a picture is shown to be scanned; with one, a code to be typed on that phone. */
  number?: string;
  /** A photo of more bytes is not handed over. */
  mostBytes: number;
  /** For tests: a page of one's own in the place of WhatsApp's, by its version, in a folder. */
  page?: { version: string; folder: string };
};

/** A message as WhatsApp Web has it. `photo` is its bytes (base64), or why there are none. */
export type WebMessage = {
  id: string;
  from: string;
  fromMe: boolean;
  type: string;
  body: string;
  timestamp: number;
  photo?: { data: string } | 'tooBig' | 'lost';
  /** Numbers of the contacts that were shared. */
  contacts?: string[];
};

export type FromChild =
  | { event: 'pairing'; text: string }
  | { event: 'authenticated' }
  | { event: 'ready' }
  | { event: 'message'; message: WebMessage }
  | { event: 'sent'; id: number; error?: string }
  | { event: 'over'; reason: string };
export type ToChild =
  | { send: { id: number; to: string; text: string; jpeg?: string } }
  | { end: true };
