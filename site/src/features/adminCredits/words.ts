import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

export function creditWords(language: Language) {
  const { admin, validation } = dictionaries[language];
  return { ...admin.credits, validation };
}
export type CreditWords = ReturnType<typeof creditWords>;
