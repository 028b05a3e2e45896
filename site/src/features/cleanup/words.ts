import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';
import type { AdminScreen } from '../admin/screen.ts';

/** Words of this screen only: island props are written into the page. */
export function cleanupWords(language: Language) {
  const { admin, errors } = dictionaries[language];
  const { title: _, ...words } = admin.cleanup;
  return { ...words, storageUnavailable: errors.health.storageUnavailable };
}
export type CleanupWords = ReturnType<typeof cleanupWords>;
export type CleanupScreen = AdminScreen<CleanupWords>;
