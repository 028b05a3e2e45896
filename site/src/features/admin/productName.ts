import { inLanguage } from '../../../../api/shared/text.ts';
import type { Bilingual, Language } from '../../../../locales/languages.ts';

/** Name of a product in the admin's language, else in the other. */
export const productName = (
  { name }: { name: Bilingual | null },
  { language, t }: { language: Language; t: (key: 'unnamed') => string },
): string => inLanguage(name, language) ?? t('unnamed');
