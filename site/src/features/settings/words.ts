import type { SettingName } from '../../../../api/settings/schema.ts';
import { cameWith, dictionaries, languageNames } from '../../../../locales/index.ts';
import { inEveryLanguage, type Language } from '../../../../locales/languages.ts';
import { ownWords } from '../../../../locales/ownWords.ts';

type Said = { label: string; hint?: string };

/** Words of settings and fees. */
export function settingWords(language: Language) {
  const { admin, common, errors, validation } = dictionaries[language];
  return {
    ...admin.settings,
    // `payees` has its own fields; any other setting without words fails to compile.
    fields: admin.settings.fields satisfies Record<Exclude<SettingName, 'payees'>, Said>,
    feeList: admin.fees,
    paymentMethods: common.paymentMethods,
    unnamed: common.product.unnamed,
    optional: common.states.optional,
    languageNames,
    original: inEveryLanguage(originalIn),
    validation,
    tooBig: errors.settings.markTooBig,
  };
}
/** Original sentences that an operator may replace, by key. */
function originalIn(language: Language): Record<string, string> {
  const read = cameWith(language);
  return Object.fromEntries(
    Object.values(ownWords)
      .flat()
      .map((key) => [key, read(key)]),
  );
}

export type SettingWords = ReturnType<typeof settingWords>;
