import { pick } from '../../../../api/shared/pick.ts';
import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** Words of the account page's island, without those only the server renders. */
export function accountWords(language: Language) {
  const { account, common, validation } = dictionaries[language];
  const languages = Object.fromEntries(
    Object.entries(dictionaries).map(([code, { common: own }]) => [code, own.language.name]),
  );
  return {
    ...pick(account, [
      'since',
      'leaving',
      'you',
      'selling',
      'password',
      'signIns',
      'sessions',
      'chats',
      'credits',
      'letters',
      'delete',
      'proof',
    ]),
    validation,
    languages,
    data: pick(account.data, ['download', 'downloadText', 'dialogTitle', 'dialogText', 'started']),
    connection: common.states.retry,
    showPassword: common.a11y.showPassword,
  };
}

/** Words of the linked chats on other pages. */
export function chatWords(language: Language) {
  const { account, common } = dictionaries[language];
  return { chats: account.chats, connection: common.states.retry };
}
export type ChatWords = ReturnType<typeof chatWords>;
export type AccountWords = ReturnType<typeof accountWords>;
