import type { Language } from '../../../../locales/languages.ts';
import { linker } from '../../lib/paths.ts';
import type { AdminScreenProps } from './screen.ts';
import { commonWords } from './words.ts';

/** Props of an admin island, for `useAdminScreen`. */
export function screenProps<W extends object>(
  locals: App.Locals,
  words: (language: Language) => W,
): AdminScreenProps<W> {
  const { language, viewer } = locals;
  return {
    language,
    words: words(language),
    common: commonWords(language),
    signIn: linker(locals)('/admin/auth'),
    isAdmin: viewer.role === 'admin',
  };
}
