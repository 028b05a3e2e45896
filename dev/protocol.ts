/** Carries a page's locals from the API to Astro's server, after a shared secret. */
export const pageHeader = 'x-dev-page';

/** `back` is the address for API calls and reports. */
export type SentLocals = Omit<App.Locals, 'api' | 'report' | 'now'> & { now: string; back: string };
