import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';

type Words = Dictionaries['shop']['contact'];
const files = import.meta.glob<Words>('../../../../locales/*/shop.json', {
  eager: true,
  import: 'contact',
});

/** Words of the consent step, in the script: props delay the largest paint (decision 013). */
export const contactWords = (language: Language) =>
  files[`../../../../locales/${language}/shop.json`] as Words;
