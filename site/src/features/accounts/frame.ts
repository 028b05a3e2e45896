import { translator } from '../../../../locales/index.ts';
import { alternates, path as pathTo } from '../../lib/paths.ts';

/** The address of a page in the form (with or without prefix) that the reader's own address has. */
export const linker =
  ({ language, prefixed }: App.Locals) =>
  (to: string) =>
    pathTo(to, { language, prefixed });

/** The address where a seller signs in, and comes back from to a page. */
export const signInFirst = (locals: App.Locals, back: string): string => {
  const to = linker(locals);
  return to(`/seller/auth?next=${encodeURIComponent(to(back))}`);
};

/** What both layouts want to know about a page called `name`. */
export function frame(locals: App.Locals, name: string, search = '') {
  const { language, prefixed, path, theme, demo, publicUrl } = locals;
  const to = linker(locals);
  return {
    language,
    prefixed,
    theme,
    path: to(path) + search,
    title: translator(language, 'common')('brand.title', { page: name }),
    canonical: publicUrl + pathTo(path, { language, prefixed: true }),
    alternates: alternates(path, publicUrl),
    demo: demo ? { outboxHref: to('/demo/outbox') } : (false as const),
  };
}

/** What {@link Messages} wants. */
export function messagesProps({ language, theme }: App.Locals) {
  const t = translator(language, 'common');
  return { theme, label: t('toast.region'), closeLabel: t('toast.close') };
}
