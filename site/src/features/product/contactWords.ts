import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';

type Words = Dictionaries['shop']['contact'];
const files = import.meta.glob<Words>('../../../../locales/*/shop.json', {
  eager: true,
  import: 'contact',
});

/**
 * The sentences of the consent step, in the script and not among its props: those are written into the page, ahead of its largest
 * paint, and this one group in every language is 1 KB that a phone keeps (decision 013).
 */
export const contactWords = (language: Language) =>
  files[`../../../../locales/${language}/shop.json`] as Words;
