import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Range, ranges } from '../../../../api/engagement/rules.ts';
import { number } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ReadState } from '../admin/ReadState.tsx';
import { type AdminScreenProps, useAdminRead, useAdminScreen } from '../admin/screen.ts';
import { Daily, week } from './Daily.tsx';
import { Top } from './Top.tsx';
import './analytics.css';
import type { AnalyticsWords } from './words.ts';

export type AnalyticsProps = AdminScreenProps<AnalyticsWords> & { range: Range };
const all = Object.keys(ranges) as Range[];

/** Range in the address; a week by default. */
const rangeIn = (search: string): Range =>
  all.find((range) => range === new URLSearchParams(search).get('range')) ?? '7d';

/** Analytics (product §2 /admin/analytics; product R28): measured figures of a range. */
export default function Analytics({ range: first, ...props }: AnalyticsProps) {
  const screen = useAdminScreen(props);
  const { t, common, api, send, language } = screen;
  const [range, setRange] = useState(first);
  useEffect(() => {
    const follow = () => setRange(rangeIn(window.location.search));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const read = useAdminRead(
    screen,
    ['analytics', range],
    () => send(api.admin.analytics.$get({ query: { range } })),
    {
      placeholderData: keepPreviousData,
    },
  );
  const choose = (next: Range) => {
    if (next === range) return;
    window.history.pushState(null, '', `?range=${next}`);
    setRange(next);
  };
  const count = (value: number) => number(value, language);

  return (
    <div className="stack">
      <div className="row row--apart">
        <fieldset className="ranges">
          <legend className="unseen">{t('range')}</legend>
          {all.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === range}
              onClick={() => choose(one)}
            >
              {t(`ranges.${one}`)}
            </button>
          ))}
        </fieldset>
        <div className="row">
          <Button busy={read.isFetching && !read.isPending} onClick={() => read.refetch()}>
            <Icon name="refresh" />
            {common('refresh')}
          </Button>
          <ButtonLink
            href={`/api/admin/analytics.csv?range=${range}&language=${language}`}
            download={`marche54-analytics-${range}.csv`}
          >
            <Icon name="download" />
            {t('export')}
          </ButtonLink>
        </div>
      </div>
      <ReadState
        read={read}
        loading={t('loading')}
        failed={t('loadFailed')}
        retry={common('retry')}
        shape="card"
        empty={{
          when: ({ totals: { views, clicks, messageTaps, shares } }) =>
            views + clicks + messageTaps + shares === 0,
          title: t('empty'),
          text: t('measured'),
        }}
      >
        {({ totals, top, days, today }) => (
          <div className="stack" aria-busy={read.isPlaceholderData}>
            <dl className="columns columns--small figures">
              <Figure label={t('totalViews')} value={count(totals.views)} />
              <Figure label={t('totalClicks')} value={count(totals.clicks)} />
              <Figure
                label={t('ctr')}
                value={
                  totals.clickThroughRate === null
                    ? '–'
                    : t('percent', {
                        value: number(totals.clickThroughRate, language, {
                          maximumFractionDigits: 1,
                        }),
                      })
                }
                note={t('ctrHint')}
              />
              <Figure label={t('contacts')} value={count(totals.messageTaps)} />
              <Figure label={t('totalShares')} value={count(totals.shares)} />
            </dl>
            <Daily days={days.slice(-week)} today={today} language={language} t={t} />
            {days.length > week && <Daily days={days} today={today} language={language} t={t} />}
            <Top slots={top} language={language} t={t} />
            <p className="soft small">{t('measured')}</p>
          </div>
        )}
      </ReadState>
    </div>
  );
}

function Figure({ label, value, note }: { label: string; value: string; note?: string }) {
  return (
    <div className="figure">
      <dt className="figure__label">{label}</dt>
      <dd className="figure__value">{value}</dd>
      {note && <dd className="figure__note">{note}</dd>}
    </div>
  );
}
