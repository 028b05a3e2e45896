import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { writeCsv } from '../shared/csv.ts';
import { slotNumber } from '../shared/slots.ts';
import { inLanguage } from '../shared/text.ts';
import type { AnalyticsRow } from './reads.ts';

/** CSV in the reader's language (product §2 /admin/analytics). */
export function presentCsv(rows: readonly AnalyticsRow[], language: Language): string {
  const t = translator(language, 'admin');
  const header = (
    ['date', 'slot', 'product', 'views', 'clicks', 'messageTaps', 'shares'] as const
  ).map((key) => t(`analytics.csv.${key}`));
  const lines = [
    header,
    ...rows.map(({ day, slotId, name, views, clicks, messageTaps, shares }) => [
      day,
      slotId === null ? null : `#${slotNumber(slotId)}`,
      inLanguage(name, language) ?? null,
      views,
      clicks,
      messageTaps,
      shares,
    ]),
  ];
  return writeCsv(lines, language);
}
