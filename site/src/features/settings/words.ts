import type { SettingName } from '../../../../api/settings/schema.ts';
import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

type Said = { label: string; hint?: string };

/** What the settings and the list of fees say. */
export function settingWords(language: Language) {
  const { admin, common, validation } = dictionaries[language];
  return {
    ...admin.settings,
    // Whom to pay is asked for in fields of its own; whatever else has no words here stops the compiler.
    fields: admin.settings.fields satisfies Record<Exclude<SettingName, 'payees'>, Said>,
    feeList: admin.fees,
    paymentMethods: common.paymentMethods,
    unnamed: common.product.unnamed,
    optional: common.states.optional,
    validation,
  };
}
export type SettingWords = ReturnType<typeof settingWords>;
