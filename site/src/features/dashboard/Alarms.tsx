import { dateTime } from '../../lib/format.ts';
import type { DashboardScreen } from './words.ts';

type Alarm = {
  id: number;
  kind: string;
  title: string;
  figure: string;
  beganAt: string;
  overAt: string | null;
  runbook: string;
};

/** Open and recently closed alarms, each with its runbook section (decision 062). */
export function Alarms({
  alarms,
  screen: { t, language },
}: {
  alarms: readonly Alarm[];
  screen: DashboardScreen;
}) {
  return (
    <section className="panel stack" aria-labelledby="alarms">
      <h3 id="alarms">{t('system.alarms.title')}</h3>
      <p className="soft small">{t('system.alarms.text')}</p>
      {alarms.length === 0 && <p>{t('system.alarms.none')}</p>}
      <ul className="stack">
        {alarms.map(({ id, kind, title, figure, beganAt, overAt, runbook }) => {
          const from = dateTime(beganAt, language);
          return (
            <li
              key={id}
              className={`health__check health__check--${overAt ? 'healthy' : 'error'}`}
              data-alarm={kind}
            >
              <div className="row row--apart">
                <strong>{title}</strong>
                <span>{t(overAt ? 'system.alarms.over' : 'system.alarms.open')}</span>
              </div>
              <p className="health__message">{figure}</p>
              <p className="row row--apart small">
                <span className="soft">
                  {overAt
                    ? t('system.alarms.span', { from, until: dateTime(overAt, language) })
                    : t('system.alarms.since', { date: from })}
                </span>
                <a href={`/${language}${runbook}`}>{t('system.alarms.whatToDo')}</a>
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
