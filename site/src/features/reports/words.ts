import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

export function reportWords(language: Language) {
  const { admin, common, seller, shop } = dictionaries[language];
  return {
    ...admin.reports,
    reasons: shop.report.reasons,
    unnamed: common.product.unnamed,
    status: common.status,
    validation: dictionaries[language].validation,
    characters: seller.wizard.fields.characters,
  };
}
export type ReportWords = ReturnType<typeof reportWords>;
