import type { Language } from '../../../../locales/languages.ts';
import { linker } from '../../lib/paths.ts';
import type { AdminScreenProps } from './screen.ts';
import { commonWords } from './words.ts';

/** What an admin page hands to its island; the island reads it with `useAdminScreen`. */
export function screenProps<W extends object>(
  locals: App.Locals,
  words: (language: Language) => W,
): AdminScreenProps<W> {
  const { language } = locals;
  return {
    language,
    words: words(language),
    common: commonWords(language),
    signIn: linker(locals)('/admin/auth'),
  };
}
