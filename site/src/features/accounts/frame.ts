import { translator } from '../../../../locales/index.ts';
import { pageFrame } from '../../lib/frame.ts';
import { linker } from '../../lib/paths.ts';

/** The address where a seller signs in, and comes back from to a page. */
export const signInFirst = (locals: App.Locals, back: string): string => {
  const to = linker(locals);
  return to(`/seller/auth?next=${encodeURIComponent(to(back))}`);
};

/** What both layouts want to know about a page called `name`. */
export function frame(locals: App.Locals, name: string, search = '') {
  const page = pageFrame(locals);
  return { ...page, path: page.path + search, title: translator(locals.language, 'common')('brand.title', { page: name }) };
}

/** What {@link Messages} wants. */
export function messagesProps({ language, theme }: App.Locals) {
  const t = translator(language, 'common');
  return { theme, label: t('toast.region'), closeLabel: t('toast.close') };
}
