import { dateTime } from '../../lib/format.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import { ReadState } from '../admin/ReadState.tsx';
import { messageOf, useAdminRead } from '../admin/screen.ts';
import { Alarms } from './Alarms.tsx';
import { Mail } from './Mail.tsx';
import { Networks } from './Networks.tsx';
import { Outages } from './Outages.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import type { DashboardScreen } from './words.ts';

/** Poll interval of a visible tab; a hidden one reloads on return. */
const lookEveryMs = 30_000;
/** Poll interval while linking a phone: its code changes every 20 seconds. */
const pairEveryMs = 5000;

/** Health probes and the last 24 hours (product §2 System Health, §4, §8; product R28). */
export function SystemHealth({ screen }: { screen: DashboardScreen }) {
  const { t, common, api, send, invalidate, signIn, language } = screen;
  const ask = () => send(api.admin.health.$get());
  const refetchInterval = ({
    state: { data },
  }: {
    state: { data?: Awaited<ReturnType<typeof ask>> };
  }) =>
    data?.channels.some(({ state }) => state === 'pairing' || state === 'starting')
      ? pairEveryMs
      : lookEveryMs;
  const read = useAdminRead(screen, ['health'], ask, {
    refetchInterval,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: 'always',
  });
  const check = useAction({
    signIn,
    call: () => send(api.admin.health.$post()),
    once: true,
    success: ({ kept }) => !kept && { title: t('system.notKept'), tone: 'error' },
    onDone: (run) => {
      queryClient().setQueryData<typeof read.data>(
        ['health'],
        (known) => known && { ...known, ...run, stale: false },
      );
      return invalidate('health', 'dashboard');
    },
    failure: (error) => ({ title: t('system.checkNowFailed'), description: messageOf(error) }),
  });
  const checkNow = (
    <Button variant="primary" busy={check.isPending} onClick={() => check.mutate()}>
      <Icon name="refresh" />
      {t('system.checkNow')}
    </Button>
  );
  return (
    <section className="stack" aria-labelledby="system-health">
      <div className="row row--apart">
        <div>
          <h2 id="system-health">{t('system.title')}</h2>
          <p className="soft">{t('system.text')}</p>
        </div>
        {read.data?.overall && checkNow}
      </div>
      <ReadState
        read={read}
        loading={t('system.loading')}
        failed={t('system.loadFailed')}
        retry={common('retry')}
        empty={{
          when: (report) => report.overall === null,
          title: t('system.never'),
          text: t('system.neverText'),
          action: checkNow,
        }}
      >
        {(report) => (
          <>
            {report.stale && <Note tone="wait">{t('system.stale')}</Note>}
            <div className="panel row row--apart health__overall" role="status">
              <p className="row">
                <strong>{t('system.overall')}</strong>
                {report.overall && <StatusBadge status={report.overall} t={t} />}
              </p>
              {report.checkedAt && (
                <span className="soft small">
                  {t('system.lastChecked', { date: dateTime(report.checkedAt, language, 'exact') })}
                </span>
              )}
            </div>
            <Alarms alarms={report.alarms} screen={screen} />
            <ul className="health">
              {report.checks.map((found) => (
                <li
                  key={found.name}
                  className={`health__check health__check--${found.status}`}
                  data-check={found.name}
                >
                  <div className="row row--apart">
                    <h3 className="health__name">{t(`system.checks.${found.name}`)}</h3>
                    <StatusBadge status={found.status} t={t} />
                  </div>
                  <p className="health__message">{found.message}</p>
                  {found.milliseconds !== null && (
                    <span className="soft small">
                      {t('system.time', { ms: found.milliseconds })}
                    </span>
                  )}
                </li>
              ))}
            </ul>
            {report.channels.length > 0 && <Networks networks={report.channels} screen={screen} />}
            <Rules found={report.rules} screen={screen} />
            <History report={report} screen={screen} />
            <Outages screen={screen} />
            <Mail screen={screen} />
          </>
        )}
      </ReadState>
    </section>
  );
}

type Found = {
  checkedAt: string;
  checks: number | null;
  wrong: readonly {
    name: string;
    wrong: string;
    count: number | null;
    ids: readonly string[];
    mend: string;
  }[];
};

/** Violations the nightly self-check found, with their remedies. */
function Rules({
  found,
  screen: { t, language },
}: {
  found: Found | null;
  screen: DashboardScreen;
}) {
  const date = found ? dateTime(found.checkedAt, language, 'exact') : '';
  const told = () => {
    if (!found?.checks) return t('system.rules.never');
    return found.wrong.length === 0
      ? t('system.rules.allHold', { count: found.checks, date })
      : t('system.rules.someBroken', { count: found.wrong.length, checks: found.checks, date });
  };
  return (
    <section className="panel stack" aria-labelledby="health-rules">
      <div className="row row--apart">
        <h3 id="health-rules">{t('system.rules.title')}</h3>
        {found?.checks ? (
          <StatusBadge status={found.wrong.length > 0 ? 'error' : 'healthy'} t={t} />
        ) : null}
      </div>
      <p className="soft">{t('system.rules.text')}</p>
      <p>{told()}</p>
      {found && found.wrong.length > 0 && (
        <ul className="stack">
          {found.wrong.map(({ name, wrong, count, ids, mend }) => (
            <li key={name} className="health__rule" data-rule={name}>
              <p>
                <strong>{wrong}</strong> <span className="soft small">{name}</span>
              </p>
              <p className="health__ids">
                {count === null ? t('system.rules.notLookedAt') : ids.join(', ')}
                {count !== null &&
                  count > ids.length &&
                  ` ${t('system.rules.more', { count: count - ids.length })}`}
              </p>
              <p className="soft small">{t('system.rules.mend', { how: mend })}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Hour = {
  from: string;
  status: 'healthy' | 'warning' | 'error' | null;
  checks: readonly string[];
};

/** Worst status of each hour as bars, with text alternatives. */
function History({
  report,
  screen: { t, language },
}: {
  report: { history: readonly Hour[] };
  screen: DashboardScreen;
}) {
  const told = ({ from, status, checks }: Hour) => {
    const words = {
      from: dateTime(from, language),
      status: status ? t(`system.status.${status}`) : t('system.historyNone'),
    };
    const names = checks.map((name) => t(`system.checks.${name as 'database'}`));
    return names.length > 0
      ? t('system.historyFault', { ...words, checks: names.join(', ') })
      : t('system.historyHour', words);
  };
  return (
    <section className="panel" aria-labelledby="health-history">
      <h3 id="health-history">{t('system.history')}</h3>
      <ol className="hours">
        {report.history.map((hour) => (
          <li
            key={hour.from}
            className={`hours__hour hours__hour--${hour.status ?? 'none'}`}
            title={told(hour)}
          >
            <span className="unseen">{told(hour)}</span>
          </li>
        ))}
      </ol>
      <p className="row row--apart soft small" aria-hidden="true">
        <span>{t('system.historyFrom')}</span>
        <span>{t('system.historyTo')}</span>
      </p>
    </section>
  );
}
