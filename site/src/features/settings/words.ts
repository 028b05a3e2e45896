import type { SettingName } from '../../../../api/settings/schema.ts';
import { dictionaries, languageNames } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

type Said = { label: string; hint?: string };

/** Words of settings and fees. */
export function settingWords(language: Language) {
  const { admin, common, validation } = dictionaries[language];
  return {
    ...admin.settings,
    // `payees` has its own fields; any other setting without words fails to compile.
    fields: admin.settings.fields satisfies Record<Exclude<SettingName, 'payees'>, Said>,
    feeList: admin.fees,
    paymentMethods: common.paymentMethods,
    unnamed: common.product.unnamed,
    optional: common.states.optional,
    languageNames,
    validation,
  };
}
export type SettingWords = ReturnType<typeof settingWords>;
