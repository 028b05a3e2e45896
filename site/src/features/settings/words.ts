import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** What the settings and the list of fees say. */
export function settingWords(language: Language) {
  const { admin, common, validation } = dictionaries[language];
  return {
    ...admin.settings,
    feeList: admin.fees,
    paymentMethods: common.paymentMethods,
    unnamed: common.product.unnamed,
    optional: common.states.optional,
    validation,
  };
}
export type SettingWords = ReturnType<typeof settingWords>;
