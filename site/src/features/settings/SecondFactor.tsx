import type { InferResponseType } from 'hono/client';
import { useState } from 'react';
import type { ApiClient } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { ReadState } from '../admin/ReadState.tsx';
import { useAdminRead } from '../admin/screen.ts';
import { FactorOffDialog } from './FactorOffDialog.tsx';
import { FactorOnDialog } from './FactorOnDialog.tsx';
import type { SettingsScreen } from './values.ts';
import type { SettingWords } from './words.ts';

type Factor = InferResponseType<ApiClient['admin']['second-factor']['$get'], 200>;

/** The admin's own second factor, with turning on and off (decision 006). */
export function SecondFactor({ screen, words }: { screen: SettingsScreen; words: SettingWords }) {
  const { t, common, api, send, invalidate, language } = screen;
  const [asking, setAsking] = useState<'on' | 'off' | null>(null);
  // On the page, not in a dialog: Escape must not lose codes that are shown only once.
  const [codes, setCodes] = useState<readonly string[]>([]);
  const read = useAdminRead<Factor>(screen, ['second-factor'], () =>
    send(api.admin['second-factor'].$get()),
  );
  const done = (fresh: readonly string[]) => {
    setCodes(fresh);
    setAsking(null);
    return invalidate('second-factor');
  };

  return (
    <div className="factor">
      <ReadState
        read={read}
        loading={t('factor.loading')}
        failed={t('factor.loadFailed')}
        retry={common('retry')}
        shape="card"
        count={1}
      >
        {({ since, codesLeft }) => (
          <section className="panel">
            <div className="row row--apart">
              <h2>{t('factor.title')}</h2>
              <Badge tone={since ? 'good' : 'plain'}>
                {since ? t('factor.on') : t('factor.off')}
              </Badge>
            </div>
            <p className="soft">{t('factor.text')}</p>
            {since && (
              <p>
                {t('factor.since', { date: dateTime(since, language) })} ·{' '}
                {t('factor.left', { count: codesLeft })}
              </p>
            )}
            {since && codesLeft < 3 && <Note tone="wait">{t('factor.fewLeft')}</Note>}
            <div className="row">
              {since ? (
                <Button onClick={() => setAsking('off')}>{t('factor.turnOff')}</Button>
              ) : (
                <Button variant="primary" onClick={() => setAsking('on')}>
                  {t('factor.turnOn')}
                </Button>
              )}
            </div>
          </section>
        )}
      </ReadState>
      {codes.length > 0 && (
        <section className="panel">
          <h2>{t('factor.codesTitle')}</h2>
          <Note tone="wait">{t('factor.codesText')}</Note>
          <ul className="factor__codes">
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <div className="row">
            <Button variant="primary" onClick={() => setCodes([])}>
              {t('factor.kept')}
            </Button>
          </div>
        </section>
      )}
      <FactorOnDialog
        screen={screen}
        words={words}
        open={asking === 'on'}
        onClose={() => setAsking(null)}
        onDone={done}
      />
      <FactorOffDialog
        screen={screen}
        words={words}
        open={asking === 'off'}
        onClose={() => setAsking(null)}
        onDone={() => done([])}
      />
    </div>
  );
}
