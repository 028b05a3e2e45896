import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import type { DashboardScreen } from './words.ts';

type Network = {
  transport: 'telegram' | 'whatsapp';
  client: 'polling' | 'webhook' | 'cloud' | 'web';
  state: 'starting' | 'pairing' | 'connected' | 'failing' | 'silent' | 'off';
  seenAt: string;
  receivedAt: string | null;
  sentAt: string | null;
  failedAt: string | null;
  failure: string | null;
  waiting: number;
  undelivered: { count: number; reason: string } | null;
  template: { at: string; reason: string } | null;
  pairing: { code: string } | { size: number; path: string } | null;
};

const names = { telegram: 'Telegram', whatsapp: 'WhatsApp' } as const;
const looks = {
  connected: { edge: 'healthy', tone: 'good' },
  starting: { edge: 'warning', tone: 'wait' },
  pairing: { edge: 'warning', tone: 'wait' },
  failing: { edge: 'error', tone: 'bad' },
  silent: { edge: 'error', tone: 'bad' },
  off: { edge: 'off', tone: 'plain' },
} as const;

/** State of each chat network, its last activity, and the code that links a phone. */
export function Networks({
  networks,
  screen: { t, language },
}: {
  networks: readonly Network[];
  screen: DashboardScreen;
}) {
  const at = (moment: string | null) =>
    moment ? dateTime(moment, language, 'exact') : t('system.networks.never');
  return (
    <section className="stack" aria-labelledby="health-networks">
      <div>
        <h3 id="health-networks">{t('system.networks.title')}</h3>
        <p className="soft">{t('system.networks.text')}</p>
      </div>
      <ul className="health">
        {networks.map(
          ({
            transport,
            client,
            state,
            seenAt,
            receivedAt,
            sentAt,
            failedAt,
            failure,
            waiting,
            undelivered,
            template,
            pairing,
          }) => (
            <li
              key={transport}
              className={`health__check health__check--${looks[state].edge}`}
              data-network={transport}
            >
              <div className="row row--apart">
                <h4 className="health__name">{names[transport]}</h4>
                <Badge tone={looks[state].tone}>{t(`system.networks.state.${state}`)}</Badge>
              </div>
              <p className="soft small">{t(`system.networks.clients.${client}`)}</p>
              {state === 'silent' && (
                <p className="health__message">
                  {t('system.networks.silentText', { date: at(seenAt) })}
                </p>
              )}
              {pairing && 'code' in pairing && (
                <p>
                  {t('system.networks.code')} <code className="health__code">{pairing.code}</code>
                </p>
              )}
              {pairing && 'path' in pairing && (
                <>
                  <p>{t('system.networks.scan')}</p>
                  <svg
                    className="health__picture"
                    role="img"
                    aria-label={t('system.networks.picture')}
                    viewBox={`0 0 ${pairing.size} ${pairing.size}`}
                    shapeRendering="crispEdges"
                  >
                    <path d={pairing.path} fill="currentColor" />
                  </svg>
                </>
              )}
              <p className="small">{t('system.networks.received', { date: at(receivedAt) })}</p>
              <p className="small">{t('system.networks.sent', { date: at(sentAt) })}</p>
              {waiting > 0 && (
                <p className="small">{t('system.networks.waiting', { count: waiting })}</p>
              )}
              {failedAt && (
                <p className="small health__message">
                  {t('system.networks.failed', { date: at(failedAt), failure: failure ?? '' })}
                </p>
              )}
              {undelivered && (
                <p className="small health__message">
                  {t('system.networks.undelivered', { count: undelivered.count })}{' '}
                  {undelivered.reason}
                </p>
              )}
              {template && (
                <p className="small health__message">
                  {t('system.networks.template', {
                    date: at(template.at),
                    reason: template.reason,
                  })}
                </p>
              )}
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
