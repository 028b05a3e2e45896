import { dictionaries, languageNames } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

export function sellerWords(language: Language) {
  const { admin, common, seller } = dictionaries[language];
  return {
    ...admin.users,
    characters: seller.wizard.fields.characters,
    languages: languageNames,
    regions: common.regions,
    optional: common.states.optional,
  };
}
export type SellerWords = ReturnType<typeof sellerWords>;
