/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    language: import('../../locales/languages.ts').Language;
    branding: import('../../locales/index.ts').Branding;
    /** Path of the stylesheet with the operator's colours. */
    colourSheet: string | undefined;
    /** Paths of the operator's mark, without which the software's is shown. */
    ownMark: { page: string | undefined; apple: string | undefined };
    /** Path of the market's own share card. */
    marketCard: string;
    /** The address has a language prefix (`/fr/…`); links then keep it. */
    prefixed: boolean;
    path: string;
    theme: 'system' | 'light' | 'dark';
    demo: boolean;
    google: boolean;
    /** Names for deep links to the market's chat; empty without a network. */
    chatNames: import('../../api/chats/deepLinks.ts').ChatNames;
    publicUrl: string;
    requestId: string;
    now: Date;
    /** The signed-in person, limited to fields that a page may show. */
    viewer: {
      role: import('../../api/core/access.ts').Role;
      name: string | null;
      email: string | null;
    };
    /** The same for pages that work without it: a visitor while the viewer is unknown. */
    publicViewer: App.Locals['viewer'];
    /**
     * The database is unavailable: reading `viewer` throws, which shows the error screen
     * (middleware).
     */
    viewerUnknown: boolean;
    /**
     * Identifies the session without revealing its owner; empty for visitors (api/http/sessionMark.ts).
     */
    mark: string;
    report: (error: unknown) => void;
    /** Typed API client that calls the app in-process as this visitor. */
    api: import('./lib/api.ts').ApiClient;
  }
}
