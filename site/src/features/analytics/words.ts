import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** Words of this screen only: island props are written into the page. */
export function analyticsWords(language: Language) {
  const { title: _, ...words } = dictionaries[language].admin.analytics;
  return { ...words, slotNumber: dictionaries[language].admin.slots.number };
}
export type AnalyticsWords = ReturnType<typeof analyticsWords>;
