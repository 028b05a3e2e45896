import type { Dictionaries } from '../../../../../locales/keys.ts';
import type { Language } from '../../../../../locales/languages.ts';

type Words = Dictionaries['connect']['buy'];
const files = import.meta.glob<Words>('../../../../../locales/*/connect.json', {
  eager: true,
  import: 'buy',
});
export const buyWords = (language: Language) =>
  files[`../../../../../locales/${language}/connect.json`] as Words;
