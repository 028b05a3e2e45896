/** The header in which the API hands a page's locals to Astro's server, behind a word that only the two of them know. */
export const pageHeader = 'x-dev-page';

/** What a page gets of `App.Locals` that can be written down; `back` is where its API and its reports are answered. */
export type SentLocals = Omit<App.Locals, 'api' | 'report' | 'now'> & { now: string; back: string };
