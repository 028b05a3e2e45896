import { alternates, linker } from './paths.ts';

export function pageFrame(
  locals: App.Locals,
  { at = locals.path, canonicalAt = at }: { at?: string; canonicalAt?: string } = {},
) {
  const { language, prefixed, theme, demo, publicUrl, now } = locals;
  const to = linker(locals);
  return {
    language,
    prefixed,
    theme,
    path: to(at),
    canonical: publicUrl + to(canonicalAt),
    alternates: alternates(canonicalAt, publicUrl),
    demo: demo && { outboxHref: to('/demo/outbox') },
    year: now.getFullYear(),
  };
}
