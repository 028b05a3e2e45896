import { translator } from '../../../../locales/index.ts';
import { pageFrame } from '../../lib/frame.ts';
import { linker } from '../../lib/paths.ts';
import { signInPageFor } from './signInPages.ts';

/** Sign-in address that returns to a page. */
export const signInFirst = (locals: App.Locals, back: string): string =>
  signInPageFor(locals, linker(locals)(back));

/** Layout props of a page called `name`. */
export function frame(locals: App.Locals, name: string, search = '') {
  const page = pageFrame(locals);
  return {
    ...page,
    path: page.path + search,
    title: translator(locals.language, 'common')('brand.title', { page: name }),
  };
}

/** Props of {@link Messages}. */
export function messagesProps({ language, theme }: App.Locals) {
  const t = translator(language, 'common');
  return { theme, label: t('toast.region'), closeLabel: t('toast.close') };
}
