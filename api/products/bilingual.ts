import type { Bilingual } from '../../locales/languages.ts';

type Given = { en: string; fr?: string | undefined };

/** Stored form of a product's text; `writtenIn` marks French that readers of English get too. */
export const bilingual = ({ en, fr }: Given, writtenIn?: 'fr'): Bilingual => ({
  en,
  ...(fr ? { fr } : {}),
  ...(writtenIn ? { written: writtenIn } : {}),
});

/** A corrected text. Where both are the same French, the English follows until it is changed. */
export function corrected(before: Bilingual | null, { en, fr }: Given): Bilingual {
  const wasSame = typeof before === 'object' && before?.written === 'fr';
  if (!wasSame || (en !== before.en && en !== fr)) return bilingual({ en, fr });
  const text = fr || en;
  return bilingual({ en: text, fr: text }, 'fr');
}
