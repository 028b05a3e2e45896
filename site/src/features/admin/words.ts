import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** What every admin screen says beside its own words: only what it needs, since every prop of an island is written into the page. */
export function deskWords(language: Language) {
  const { common } = dictionaries[language];
  const { cancel, close, retry, refresh, save } = common.actions;
  return {
    cancel,
    close,
    retry,
    refresh,
    save,
    connection: common.states.retry,
    pages: { label: common.pagination.label, previous: common.pagination.previous, next: common.pagination.next, page: common.pagination.page },
  };
}
export type DeskWords = ReturnType<typeof deskWords>;
