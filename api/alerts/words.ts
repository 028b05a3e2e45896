import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { type Region, regions } from '../shared/places/regions.ts';
import { money } from '../shared/text.ts';
import { askedOf } from './rules.ts';

/** Names an alert by its filters, or by its shop. */
export function alertName(
  { query, shop }: { query: string; shop: string | null },
  language: Language,
): string {
  if (query === '') return shop ?? translator(language, 'alerts')('closedShop');
  const t = translator(language, 'search');
  const common = translator(language, 'common');
  const { q, category, condition, region, min, max, lane, verified } = askedOf(query);
  const isCode = (key: string): key is Region => (regions as readonly string[]).includes(key);
  const parts = [
    q && t('chips.words', { words: q }),
    category && common(`categories.${category}`),
    condition && common(`conditions.${condition}`),
    region && (isCode(region) ? common(`regions.${region}`) : region),
    min !== undefined && t('chips.min', { amount: money(min, language) }),
    max !== undefined && t('chips.max', { amount: money(max, language) }),
    lane && t(`lanes.${lane}`),
    verified && t('chips.verified'),
  ];
  return parts.filter(Boolean).join(' · ');
}
