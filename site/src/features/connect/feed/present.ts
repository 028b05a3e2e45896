import { money } from '../../../../../api/core/text.ts';
import { translator } from '../../../../../locales/index.ts';
import type { Language } from '../../../../../locales/languages.ts';

/** What a post may cost, whole, in XAF; nothing where nobody said. */
export function budgetText({ budgetMin, budgetMax }: { budgetMin: number | null; budgetMax: number | null }, language: Language): string | null {
  const t = translator(language, 'connect');
  const from = budgetMin ? money(budgetMin, language) : null;
  const to = budgetMax === null ? null : money(budgetMax, language);
  if (from && to) return from === to ? to : `${from} – ${to}`;
  if (to) return t('feed.budgetTo', { amount: to });
  return from && t('feed.budgetFrom', { amount: from });
}

/** Where a post is about, from near to far, each place once. */
export function placeText({ location, city, region }: { location: string | null; city: string | null; region: string | null }): string {
  return [...new Set([location, city, region].filter(Boolean))].join(', ');
}
