import { useState } from 'react';
import { usd } from '../../../../api/payments/rules.ts';
import { money } from '../../../../api/shared/text.ts';
import { Badge } from '../../ui/Badge.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { ReadState } from '../admin/ReadState.tsx';
import { useAdminRead } from '../admin/screen.ts';
import type { CreditsScreen } from './credits.ts';
import { Reconcile } from './Reconcile.tsx';

/** This month in Douala, as `2026-11`. */
const thisMonth = (): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Africa/Douala',
    year: 'numeric',
    month: '2-digit',
  }).format();

/**
 * Payments and refunds of a month by day and method, all of them as CSV, and the comparison with the
 * provider's list.
 */
export function Journal({ screen }: { screen: CreditsScreen }) {
  const { t, common, api, send, language } = screen;
  const [month, setMonth] = useState(thisMonth);
  const read = useAdminRead(screen, ['creditJournal', month], () =>
    send(api.admin.credits.purchases.journal.$get({ query: { month } })),
  );
  type Sum = { count: number; xaf: number; usd: number };
  const sumText = ({ count, xaf, usd: dollars }: Sum) =>
    count === 0
      ? '–'
      : [
          t('count', { count }),
          xaf > 0 && money(xaf, language),
          dollars > 0 && usd(dollars, language),
        ]
          .filter(Boolean)
          .join(' · ');
  const dayText = (day: string) =>
    new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'medium' }).format(
      new Date(day),
    );
  return (
    <div className="stack credits">
      <div className="credits__bar">
        <TextInput
          label={t('journal.month')}
          type="month"
          value={month}
          max={thisMonth()}
          onChange={({ target }) => target.value && setMonth(target.value)}
        />
        <a
          className="button"
          href={`/api/admin/credits/purchases/journal.csv?month=${month}&language=${language}`}
          download
        >
          {t('journal.download')}
        </a>
      </div>
      <ReadState
        read={read}
        loading={t('loading')}
        failed={t('loadFailed')}
        retry={common('retry')}
        empty={{ when: ({ days }) => days.length === 0, title: t('journal.none') }}
      >
        {({ days }) => (
          <DataTable
            caption={t('journal.title')}
            rows={days}
            rowKey={({ day, method, testMode }) => [day, method, testMode].join()}
            columns={[
              {
                key: 'day',
                header: t('journal.day'),
                kind: 'main',
                cell: ({ day }) => <time dateTime={day}>{dayText(day)}</time>,
              },
              {
                key: 'method',
                header: t('columns.method'),
                cell: ({ method, testMode }) => (
                  <>
                    {t(`methods.${method}`)}{' '}
                    {testMode && <Badge tone="info">{t('testMode')}</Badge>}
                  </>
                ),
              },
              { key: 'paid', header: t('journal.paid'), cell: ({ paid }) => sumText(paid) },
              {
                key: 'refunded',
                header: t('journal.refunded'),
                cell: ({ refunded }) => sumText(refunded),
              },
            ]}
          />
        )}
      </ReadState>
      {read.data?.compares && <Reconcile screen={screen} />}
    </div>
  );
}
