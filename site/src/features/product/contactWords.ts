import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';

type Words = Dictionaries['shop']['contact'];
const files = import.meta.glob<Words>('../../../../locales/*/shop.json', {
  eager: true,
  import: 'contact',
});

/**
 * Words of the consent step. In the script, not in props: those delay the largest paint, and 1 KB
 * for all languages is cached (decision 013).
 */
export const contactWords = (language: Language) =>
  files[`../../../../locales/${language}/shop.json`] as Words;
