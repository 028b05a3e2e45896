import { inLanguage } from '../../../../api/core/text.ts';
import type { Bilingual, Language } from '../../../../locales/languages.ts';

/** A product as admins know it: its name in their language, or in the other one. */
export const productName = (
  { name }: { name: Bilingual | null },
  { language, t }: { language: Language; t: (key: 'unnamed') => string },
): string => inLanguage(name, language) ?? t('unnamed');
