import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Note } from '../../ui/Note.tsx';
import { ReadState } from '../admin/ReadState.tsx';
import { useAdminRead } from '../admin/screen.ts';
import type { DashboardScreen } from './words.ts';

type Report = InferResponseType<ApiClient['admin']['mail']['$get'], 200>;
type Found = Extract<Report['sender'], { state: 'asked' }>['spf'];
type Kind = 'spf' | 'dkim' | 'dmarc';

const looks: Record<Found['state'], { edge: string; tone: BadgeTone }> = {
  found: { edge: 'healthy', tone: 'good' },
  weak: { edge: 'warning', tone: 'wait' },
  missing: { edge: 'error', tone: 'bad' },
  several: { edge: 'error', tone: 'bad' },
  invalid: { edge: 'error', tone: 'bad' },
  unreachable: { edge: 'off', tone: 'plain' },
  unnamed: { edge: 'off', tone: 'plain' },
};

/**
 * The sender's SPF, DKIM and DMARC, and refused emails (decision 021). A separate query, so that
 * slow DNS does not delay the page.
 */
export function Mail({ screen }: { screen: DashboardScreen }) {
  const { t, common, api, send, language } = screen;
  const read = useAdminRead<Report>(screen, ['mail'], () => send(api.admin.mail.$get()));
  return (
    <section className="panel stack" aria-labelledby="health-mail">
      <h3 id="health-mail">{t('system.sender.title')}</h3>
      <p className="soft">{t('system.sender.text')}</p>
      <ReadState
        read={read}
        loading={t('system.sender.loading')}
        failed={t('system.sender.loadFailed')}
        retry={common('retry')}
      >
        {({ sender, refused }) => (
          <>
            {sender.state === 'asked' ? (
              <>
                <p className="small">
                  {t('system.sender.domain', {
                    domain: sender.domain,
                    date: dateTime(sender.checkedAt, language, 'exact'),
                  })}
                </p>
                <ul className="health">
                  <Record kind="spf" found={sender.spf} screen={screen} />
                  {sender.dkim.map((key) => (
                    <Record key={key.name} kind="dkim" found={key} screen={screen} />
                  ))}
                  <Record kind="dmarc" found={sender.dmarc} screen={screen} />
                </ul>
              </>
            ) : (
              <Note>{t(`system.sender.${sender.state}`)}</Note>
            )}
            <p className="small">
              <a href={`/${language}/admin/runbook#mail-delivery`}>{t('system.sender.runbook')}</a>
            </p>
            <Refused refused={refused} screen={screen} />
          </>
        )}
      </ReadState>
    </section>
  );
}

function Record({
  kind,
  found,
  screen: { t },
}: {
  kind: Kind;
  found: Found;
  screen: DashboardScreen;
}) {
  const { name, state, record } = found;
  const said = () => {
    if (state === 'unreachable') return t('system.sender.unreachable');
    if (state === 'unnamed') return t('system.sender.dkim.unnamed');
    return t(`system.sender.${kind}.${state}`, { name });
  };
  return (
    <li className={`health__check health__check--${looks[state].edge}`} data-record={kind}>
      <div className="row row--apart">
        <h4 className="health__name">{kind.toUpperCase()}</h4>
        <Badge tone={looks[state].tone}>{t(`system.sender.states.${state}`)}</Badge>
      </div>
      <p className="health__message">{said()}</p>
      {record && <p className="soft small health__ids">{t('system.sender.record', { record })}</p>}
    </li>
  );
}

function Refused({
  refused: { week, month, letters },
  screen: { t, language },
}: {
  refused: Report['refused'];
  screen: DashboardScreen;
}) {
  return (
    <>
      <h4>{t('system.sender.refused.title')}</h4>
      <p className="soft small">{t('system.sender.refused.text')}</p>
      <p>{t('system.sender.refused.week', week)}</p>
      <p>{t('system.sender.refused.month', month)}</p>
      {letters.length > 0 && (
        <>
          <h5>{t('system.sender.refused.newest')}</h5>
          <ul className="stack">
            {letters.map(({ id, at, recipient, name, reason }) => (
              <li key={id} className="health__rule">
                <p className="health__ids">
                  <strong>{name ?? t('system.sender.refused.nobody')}</strong> {recipient}{' '}
                  <span className="soft small">{dateTime(at, language, 'exact')}</span>
                </p>
                <p className="soft small health__ids">{reason}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
