import type { ReactNode } from 'react';
import { slotNumber } from '../../../../api/shared/slots.ts';
import { dateTime, number } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { messageOf, useAdminRead, useLiveUpdates } from '../admin/screen.ts';
import { StatusBadge } from './StatusBadge.tsx';
import type { DashboardLinks, DashboardScreen } from './words.ts';

type OverviewProps = { screen: DashboardScreen; links: DashboardLinks; onHealth: () => void };

/** Figures, the first five slots, and health badges (product §2 /admin/dashboard). */
export function Overview({ screen, links, onHealth }: OverviewProps) {
  const { t, common, api, send, language } = screen;
  const read = useAdminRead(screen, ['dashboard'], () => send(api.admin.dashboard.$get()));
  const { data, error, isFetching, isPending, refetch } = read;
  useLiveUpdates(['slot', 'product', 'seller', 'queue', 'pending'], refetch);
  if (isPending)
    return (
      <div className="stack">
        <Skeleton shape="row" count={4} label={t('loading')} />
      </div>
    );
  if (!data)
    return (
      <ErrorState
        title={t('error', { message: error ? messageOf(error) : '' })}
        retryLabel={common('retry')}
        busy={isFetching}
        onRetry={() => refetch()}
      >
        {common('connection')}
      </ErrorState>
    );
  const { missing, requestsDue, stats, recent, health } = data;
  return (
    <div className="stack overview">
      {error && <Note tone="bad">{t('error', { message: messageOf(error) })}</Note>}
      {missing.length > 0 && (
        <Note tone="wait" title={t('missing.title')}>
          <ul className="overview__missing">
            {missing.map(({ name, runbook }) => (
              <li key={name}>
                {t(`missing.lines.${name}`)}{' '}
                <a href={`/${language}${runbook}`}>{t('missing.how')}</a>
              </li>
            ))}
          </ul>
        </Note>
      )}
      {requestsDue > 0 && (
        <Note tone="wait">
          {t('requestsDue', { count: requestsDue })}{' '}
          <a href={`/${language}/admin/reports?tab=data`}>{t('toRequests')}</a>
        </Note>
      )}
      <dl className="columns columns--small overview__figures">
        <Figure label={t('totalSlots')} value={number(stats.totalSlots, language)} />
        <Figure
          label={t('activeProducts')}
          value={number(stats.activeProducts, language)}
          href={links.slots}
          share={[stats.activeProducts, stats.totalSlots]}
        />
        <Figure
          label={t('featuredProducts')}
          value={t('featuredOf', { active: stats.featuredProducts, total: stats.featuredTotal })}
          href={links.slots}
          share={[stats.featuredProducts, stats.featuredTotal]}
        />
        <Figure
          label={t('queueSize')}
          value={number(stats.queueSize, language)}
          href={links.queue}
        />
        <Figure
          label={t('pendingReviews')}
          value={number(stats.pendingReviews, language)}
          href={links.pending}
          calls={stats.pendingReviews > 0}
        />
      </dl>
      <div className="overview__halves">
        <section className="panel" aria-labelledby="recent">
          <h2 id="recent">{t('recent')}</h2>
          {recent.length === 0 ? (
            <EmptyState title={t('recentEmpty')} icon="pin" />
          ) : (
            <ul className="recent">
              {recent.map((slot) => (
                <li key={slot.id} className="recent__slot">
                  {slot.image ? (
                    <img
                      className="thumb"
                      src={slot.image.sources[0]?.src ?? slot.image.src}
                      width={48}
                      height={48}
                      alt=""
                    />
                  ) : (
                    <span className="thumb" role="img" aria-label={t('noImage')} />
                  )}
                  <div className="recent__words">
                    <strong className="recent__name" dir="auto">
                      {slot.name}
                    </strong>
                    <span className="soft small">
                      {t('recentItem', { slot: slotNumber(slot.id) })}
                      {slot.sellerName && ` · ${t('seller', { name: slot.sellerName })}`}
                    </span>
                    {slot.expired ? (
                      <span className="small">{t('expired')}</span>
                    ) : (
                      slot.endTime && (
                        <time className="soft small" dateTime={slot.endTime}>
                          {t('ends', { date: dateTime(slot.endTime, language) })}
                        </time>
                      )
                    )}
                  </div>
                  <span className="recent__views">{t('views', { count: slot.views })}</span>
                </li>
              ))}
            </ul>
          )}
        </section>
        <section className="panel" aria-labelledby="badges">
          <h2 id="badges">{t('badgesTitle')}</h2>
          <dl className="badges">
            {health.badges.map((badge) => (
              <div key={badge.name} className="badges__row">
                <dt>{t(`badges.${badge.name as 'database'}`)}</dt>
                <dd>
                  {badge.status ? (
                    <StatusBadge status={badge.status} t={t} />
                  ) : (
                    <Badge>{t('notChecked')}</Badge>
                  )}
                  {badge.message && (
                    <span className="soft small badges__message">{badge.message}</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
          <div className="row row--apart">
            {health.checkedAt && (
              <span className="soft small">
                {t('system.lastChecked', { date: dateTime(health.checkedAt, language) })}
              </span>
            )}
            <Button compact onClick={onHealth}>
              <Icon name="heart" />
              {t('tabs.health')}
            </Button>
          </div>
        </section>
      </div>
    </div>
  );
}

/** `href` makes the whole card a link, `share` adds a bar. */
function Figure({
  label,
  value,
  href,
  share,
  calls,
}: {
  label: string;
  value: ReactNode;
  href?: string;
  share?: [number, number];
  calls?: boolean;
}) {
  return (
    <div className={`figure overview__figure${calls ? ' overview__figure--calls' : ''}`}>
      <dt className="figure__label">{href ? <a href={href}>{label}</a> : label}</dt>
      <dd className="figure__value">{value}</dd>
      {share && (
        <dd className="overview__share" aria-hidden="true">
          <progress value={share[0]} max={share[1]} />
        </dd>
      )}
    </div>
  );
}
