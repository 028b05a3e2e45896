import { dateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { useAction } from '../actions/useAction.ts';
import { ReadState } from '../admin/ReadState.tsx';
import { messageOf, useAdminRead } from '../admin/screen.ts';
import type { DashboardScreen } from './words.ts';

/**
 * Recent outages with the time given back; after more than a week an admin decides on the rest
 * (decision 055).
 */
export function Outages({ screen }: { screen: DashboardScreen }) {
  const { t, common, api, send, invalidate, signIn, language } = screen;
  const read = useAdminRead(screen, ['outages'], () => send(api.admin.outages.$get()));
  const decide = useAction({
    signIn,
    call: ({ id, giveBack }: { id: number; giveBack: boolean }) =>
      send(api.admin.outages[':id'].$post({ param: { id: String(id) }, json: { giveBack } })),
    once: true,
    success: ({ decision }) => ({
      title: t(decision === 'given' ? 'system.outages.doneGiven' : 'system.outages.doneDeclined'),
    }),
    onDone: () => invalidate('outages', 'health'),
    failure: (error) => ({
      title: t('system.outages.decideFailed'),
      description: messageOf(error),
    }),
  });
  return (
    <section className="panel stack" aria-labelledby="outages">
      <h3 id="outages">{t('system.outages.title')}</h3>
      <p className="soft small">{t('system.outages.text')}</p>
      <ReadState
        read={read}
        loading={t('system.outages.loading')}
        failed={t('system.outages.failed')}
        retry={common('retry')}
        empty={{ when: ({ outages }) => outages.length === 0, title: t('system.outages.none') }}
      >
        {({ outages }) => (
          <ul className="outages">
            {outages.map(({ id, from, until, given, rest, decision, listings }) => (
              <li key={id}>
                <strong>
                  {t('system.outages.span', {
                    from: dateTime(from, language),
                    until: dateTime(until, language),
                  })}
                </strong>
                <p>
                  {listings > 0
                    ? t('system.outages.given', { count: listings, time: given })
                    : t('system.outages.nobody')}
                </p>
                {rest && decision === 'given' && (
                  <p>{t('system.outages.restGiven', { time: rest })}</p>
                )}
                {rest && decision === 'declined' && (
                  <p>{t('system.outages.restDeclined', { time: rest })}</p>
                )}
                {rest && decision === 'waiting' && (
                  <>
                    <p>{t('system.outages.rest', { time: rest })}</p>
                    <p className="row">
                      <Button
                        variant="primary"
                        busy={decide.isPending}
                        onClick={() => decide.mutate({ id, giveBack: true })}
                      >
                        {t('system.outages.giveBack')}
                      </Button>
                      <Button
                        busy={decide.isPending}
                        onClick={() => decide.mutate({ id, giveBack: false })}
                      >
                        {t('system.outages.decline')}
                      </Button>
                    </p>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
      </ReadState>
    </section>
  );
}
