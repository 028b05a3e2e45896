/** All that the child process receives. */
export type Settings = {
  folder: string;
  chromium: string;
  /** Without a number, a picture to scan is shown instead of a code. */
  number?: string;
  mostBytes: number;
  /** For tests. */
  page?: { version: string; folder: string };
};

/** `photo` is base64, or why it is missing. */
export type WebMessage = {
  id: string;
  from: string;
  fromMe: boolean;
  type: string;
  body: string;
  timestamp: number;
  photo?: { data: string } | 'tooBig' | 'lost';
  contacts?: string[];
  /** Degrees; replaced by a town before the message is stored. */
  place?: { latitude: number; longitude: number };
  /** The body replaces that of an earlier message with this id. */
  edited?: true;
  /** WhatsApp has one account for an old id and today's number. */
  confirmed?: true;
};

export type FromChild =
  | { event: 'pairing'; text: string }
  | { event: 'authenticated' }
  | { event: 'ready' }
  | { event: 'message'; message: WebMessage }
  /** The person of this id changed number; `timestamp` is in seconds. */
  | { event: 'left'; id: string; timestamp: number }
  | { event: 'sent'; id: number; error?: string }
  | { event: 'over'; reason: string };
export type ToChild =
  | { send: { id: number; to: string; text: string; jpeg?: string } }
  | { end: true };
