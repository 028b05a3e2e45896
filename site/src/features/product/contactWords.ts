import { contact as en } from '../../../../locales/en/shop.json';
import { contact as fr } from '../../../../locales/fr/shop.json';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';

/**
 * The sentences of the consent step, in the script and not among its props: those are written into the page, ahead of its largest
 * paint, and this one group in two languages is 1 KB that a phone keeps (docs/decisions/islands.md).
 */
export const contactWords: Record<Language, Dictionaries['shop']['contact']> = { en, fr };
