import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';

const actions = import.meta.glob<Dictionaries['common']['actions']>(
  '../../../../locales/*/common.json',
  { eager: true, import: 'actions' },
);
const states = import.meta.glob<Dictionaries['common']['states']>(
  '../../../../locales/*/common.json',
  { eager: true, import: 'states' },
);

/**
 * Words common to Connect's dialogs. They are in the scripts, in every language, and not in pages
 * (decision 013).
 */
export function dialogWords(language: Language) {
  const file = `../../../../locales/${language}/common.json`;
  const { close, cancel, retry } = actions[file] as Dictionaries['common']['actions'];
  const { loading, retry: connection } = states[file] as Dictionaries['common']['states'];
  return { close, cancel, retry, loading, connection };
}
