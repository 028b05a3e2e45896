type Extendable = { waitUntil(work: Promise<unknown>): void };
type FetchEvent = Extendable & {
  request: Request;
  clientId: string;
  resultingClientId: string;
  preloadResponse?: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
};
/** A message of the market to this browser (api/push/deliver.ts). */
export type PushMessage = {
  id: string;
  title: string;
  body: string;
  language: string;
  path: string;
  end?: { label: string; path: string; done: string };
};
type Events = {
  activate: Extendable;
  fetch: FetchEvent;
  message: Extendable & { data: unknown; ports: readonly MessagePort[] };
  push: Extendable & { data: { json(): unknown } | null };
  notificationclick: Extendable & {
    action: string;
    notification: { data: PushMessage; close(): void };
  };
  pushsubscriptionchange: Extendable & { newSubscription?: PushSubscription | null };
};
type Window = { url: string; focus(): Promise<unknown> };

/** The global of a worker, whose names the compiler does not know. */
export const scope = globalThis as unknown as {
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    get(id: string): Promise<{ url: string } | undefined>;
    matchAll(which: { type: 'window' }): Promise<readonly Window[]>;
    openWindow(address: string): Promise<unknown>;
  };
  registration: {
    navigationPreload?: { enable(): Promise<void> };
    /** Missing where a browser knows no push. */
    pushManager?: PushManager;
    showNotification(title: string, options: object): Promise<void>;
  };
  addEventListener<Name extends keyof Events>(
    type: Name,
    listener: (event: Events[Name]) => void,
  ): void;
};
export type EventOf<Name extends keyof Events> = Events[Name];
