import type { KeysOf, Params } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { dateTime, number } from '../../lib/format.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { DailyChart } from './DailyChart.tsx';
import { type Day, type Figure, noonOf } from './figures.ts';
import type { AnalyticsWords } from './words.ts';

export type Say = (key: KeysOf<AnalyticsWords>, params?: Params) => string;

const measures = [
  ['views', 'totalViews'],
  ['clicks', 'totalClicks'],
  ['messageTaps', 'contacts'],
  ['shares', 'totalShares'],
] as const satisfies readonly (readonly [Figure, string])[];

/** Days of the daily chart in every range (product §2). */
export const week = 7;

/** Charts of daily figures, and a table of the same. */
export function Daily({
  days,
  today,
  language,
  t,
}: {
  days: readonly Day[];
  today: string;
  language: Language;
  t: Say;
}) {
  const count = (value: number) => number(value, language);
  const on = (day: string | undefined) => (day ? dateTime(noonOf(day), language, 'day') : '');
  const span = { from: on(days[0]?.day), to: on(days[days.length - 1]?.day) };
  const heading = days.length === week ? t('daily') : t('dailyRange', { days: days.length });
  const id = `daily-${days.length}`;
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <div className="dailies">
        {measures.map(([figure, word]) => (
          <DailyChart
            key={figure}
            figure={figure}
            title={t(word)}
            days={days}
            today={today}
            language={language}
            label={(most) =>
              most[figure] > 0
                ? t('perDay', {
                    measure: t(word),
                    ...span,
                    most: count(most[figure]),
                    day: on(most.day),
                  })
                : t('perDayNone', { measure: t(word), ...span })
            }
            mostLabel={(value) => t('most', { value })}
            dayLabel={(day) =>
              t('dailyBar', {
                date: on(day.day),
                views: count(day.views),
                clicks: count(day.clicks),
                contacts: count(day.messageTaps),
              })
            }
          />
        ))}
      </div>
      <p className="soft small">{t('today')}</p>
      <details className="dailies__table">
        <summary>{t('showTable')}</summary>
        <DataTable
          caption={heading}
          rows={[...days].reverse()}
          rowKey={({ day }) => day}
          columns={[
            {
              key: 'day',
              header: t('csv.date'),
              kind: 'main',
              cell: ({ day }) => dateTime(noonOf(day), language, 'date'),
            },
            ...measures.map(([figure, word]) => ({
              key: figure,
              header: t(word),
              kind: 'number' as const,
              cell: (day: Day) => count(day[figure]),
            })),
          ]}
        />
      </details>
    </section>
  );
}
