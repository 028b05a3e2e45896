import { pick } from '../../../../../api/shared/pick.ts';
import { dictionaries } from '../../../../../locales/index.ts';
import type { Language } from '../../../../../locales/languages.ts';

export const respondWords = (language: Language) =>
  pick(dictionaries[language].connect.post.connect, [
    'action',
    'again',
    'againText',
    'buy',
    'failed',
    'failedText',
    'have_many',
    'have_one',
    'have_other',
    'how',
    'link',
    'opened',
    'openedText',
    'opening',
    'price',
    'ready',
    'short',
  ]);
export type RespondWords = ReturnType<typeof respondWords>;

export function ownWords(language: Language) {
  const { connect, common, validation } = dictionaries[language];
  return {
    ...pick(connect.post.owner, [
      'pause',
      'activate',
      'pauseText',
      'activateText',
      'activated',
      'closed',
      'failed',
    ]),
    update: connect.update,
    types: connect.post.updates.types,
    close: common.actions.close,
    validation,
  };
}
export type OwnWords = ReturnType<typeof ownWords>;
