import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';
import { assignmentWords } from '../slots/words.ts';

/** Words of this screen only: island props are written into the page. */
export function queueWords(language: Language) {
  const { admin, common } = dictionaries[language];
  const { premiumPlacement, standardPlacement, adminDataFailed } = admin.slots;
  const { noImage, imageUnavailable } = common.product;
  return {
    ...admin.queue,
    ...assignmentWords(language),
    premiumPlacement,
    standardPlacement,
    adminDataFailed,
    noImage,
    imageUnavailable,
    undo: common.actions.undo,
  };
}
export type QueueWords = ReturnType<typeof queueWords>;
