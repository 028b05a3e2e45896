import { unwrap } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { useAction } from '../actions/useAction.ts';
import type { AccountScreen } from './screen.ts';

/** Sessions of the user, with sign-out. */
export function Sessions({ screen, ready }: { screen: AccountScreen; ready: boolean }) {
  const { t, api, account, connection, signIn, language, again } = screen;
  const { sessions } = account;
  const failure = ({ message }: Error) => t('sessions.failed', { message });
  const end = useAction({
    signIn,
    call: (id: string) =>
      unwrap(api.account.sessions[':id'].$delete({ param: { id } }), connection),
    failure,
    onDone: () => again(t('sessions.ended')),
  });
  const endOthers = useAction({
    signIn,
    call: () => unwrap(api.account.sessions['end-others'].$post(), connection),
    failure,
    onDone: ({ ended }) => again(t('sessions.othersEnded', { count: ended })),
  });
  const busy = end.isPending || endOthers.isPending;
  return (
    <>
      <ul className="own__rows">
        {sessions.map(({ id, browser, system, since, here }) => (
          <li key={id} className="row row--apart">
            <div>
              <strong>
                {t('sessions.device', {
                  browser: browser ?? t('sessions.browser'),
                  system: system ?? t('sessions.system'),
                })}
              </strong>{' '}
              {here && <Badge tone="good">{t('sessions.here')}</Badge>}
              <p className="soft small">
                {t('sessions.signedIn', { date: dateTime(since, language) })}
              </p>
            </div>
            {!here && (
              <Button
                compact
                busy={end.isPending && end.variables === id}
                disabled={!ready || busy}
                onClick={() => end.mutate(id)}
              >
                {t('sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <Button
          busy={endOthers.isPending}
          disabled={!ready || busy}
          onClick={() => endOthers.mutate()}
        >
          {t('sessions.endOthers')}
        </Button>
      ) : (
        <p className="soft">{t('sessions.alone')}</p>
      )}
    </>
  );
}
