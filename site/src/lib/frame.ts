import { alternates, path } from './paths.ts';

/** What every page's layout needs to know of the request: language, addresses, theme and demo mode. */
export function pageFrame(locals: App.Locals, { at = locals.path, canonicalAt = at }: { at?: string; canonicalAt?: string } = {}) {
  const { language, prefixed, theme, demo, publicUrl, now } = locals;
  return {
    language,
    prefixed,
    theme,
    path: path(at, { language, prefixed }),
    canonical: publicUrl + path(canonicalAt, { language, prefixed }),
    alternates: alternates(canonicalAt, publicUrl),
    demo: demo && { outboxHref: '/demo/outbox' },
    year: now.getFullYear(),
  };
}
