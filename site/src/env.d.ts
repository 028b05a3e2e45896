/// <reference types="astro/client" />

declare namespace App {
  /** What the server resolved before a page is rendered; the same for every page. */
  interface Locals {
    language: import('../../locales/languages.ts').Language;
    /** Whether the address carries its language (`/fr/…`); links keep the form they were reached by. */
    prefixed: boolean;
    /** The path without its language prefix. */
    path: string;
    theme: 'system' | 'light' | 'dark';
    demo: boolean;
    /** Whether there is a sign-in with Google. */
    google: boolean;
    /** Where the market's chat is found; empty where the market is on no network. */
    chatNames: import('../../api/chats/deepLinks.ts').ChatNames;
    publicUrl: string;
    requestId: string;
    now: Date;
    /** Who looks at the page: never more than a page may show. */
    viewer: {
      role: import('../../api/core/access.ts').Role;
      name: string | null;
      email: string | null;
    };
    /** The same for pages that are whole without knowing: a visitor while the viewer is unknown. */
    publicViewer: App.Locals['viewer'];
    /** The database is away, so the viewer could not be looked up: reading `viewer` throws, and the page is the error screen (middleware). */
    viewerUnknown: boolean;
    /** Tells one session from another, without saying whose it is; empty for a visitor (api/core/mark.ts). */
    mark: string;
    /** Tells the operator about an error on this page. */
    report: (error: unknown) => void;
    /** The typed client, calling the app in-process as this visitor. */
    api: import('./lib/api.ts').ApiClient;
  }
}
