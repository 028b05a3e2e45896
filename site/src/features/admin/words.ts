import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** What every admin screen says beside its own words: only what it needs, since every prop of an island is written into the page. */
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
