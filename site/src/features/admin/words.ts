import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** Words common to admin screens. Island props are written into the page, so nothing more. */
export function commonWords(language: Language) {
  const { common } = dictionaries[language];
  const { cancel, close, retry, refresh } = common.actions;
  return {
    cancel,
    close,
    retry,
    refresh,
    connection: common.states.retry,
    pages: {
      label: common.pagination.label,
      previous: common.pagination.previous,
      next: common.pagination.next,
      page: common.pagination.page,
    },
  };
}
export type CommonWords = ReturnType<typeof commonWords>;
