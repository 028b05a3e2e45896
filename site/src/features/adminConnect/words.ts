import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

export function postWords(language: Language) {
  const { admin, connect, validation } = dictionaries[language];
  const { all: _, ...categories } = connect.categories;
  return { ...admin.connect, categories, validation };
}
export type PostWords = ReturnType<typeof postWords>;
