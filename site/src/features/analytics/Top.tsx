import { slotNumber } from '../../../../api/shared/slots.ts';
import { inLanguage } from '../../../../api/shared/text.ts';
import type { Language } from '../../../../locales/languages.ts';
import { number } from '../../lib/format.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import '../../ui/plate.css';
import type { Say } from './Daily.tsx';
import type { Analytics } from './figures.ts';

/** Top five slots by views, clicks and shares (product §2), with their main product. */
export function Top({
  slots,
  language,
  t,
}: {
  slots: Analytics['top'];
  language: Language;
  t: Say;
}) {
  const count = (value: number) => number(value, language);
  return (
    <section className="panel" aria-labelledby="top">
      <h2 id="top">{t('topSlots')}</h2>
      <p className="soft small">{t('topSlotsHint')}</p>
      <DataTable
        caption={t('topSlots')}
        rows={slots}
        rowKey={({ slotId }) => slotId}
        columns={[
          {
            key: 'slot',
            header: t('csv.slot'),
            kind: 'main',
            cell: ({ slotId, name, products }) => (
              <span className="top">
                <span
                  className="plate"
                  role="img"
                  aria-label={t('slotNumber', { slot: slotNumber(slotId) })}
                >
                  #{slotNumber(slotId)}
                </span>
                <span>
                  <bdi>{inLanguage(name, language) ?? t('gone')}</bdi>
                  {products > 1 && (
                    <span className="soft small"> {t('more', { count: products - 1 })}</span>
                  )}
                </span>
              </span>
            ),
          },
          {
            key: 'views',
            header: t('totalViews'),
            kind: 'number',
            cell: ({ views }) => count(views),
          },
          {
            key: 'clicks',
            header: t('totalClicks'),
            kind: 'number',
            cell: ({ clicks }) => count(clicks),
          },
          {
            key: 'shares',
            header: t('totalShares'),
            kind: 'number',
            cell: ({ shares }) => count(shares),
          },
          {
            key: 'engagement',
            header: t('engagement'),
            kind: 'number',
            cell: ({ engagement }) => <strong>{count(engagement)}</strong>,
          },
          {
            key: 'contacts',
            header: t('contacts'),
            kind: 'number',
            cell: ({ messageTaps }) => count(messageTaps),
          },
        ]}
      />
    </section>
  );
}
