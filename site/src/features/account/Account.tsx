import { type ReactNode, useState } from 'react';
import { unwrap } from '../../lib/api.ts';
import { useReady } from '../../lib/form.ts';
import { dateTime } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { useAction } from '../actions/useAction.ts';
import { leaving } from '../forms/useForm.ts';
import { ChangeEmail } from './ChangeEmail.tsx';
import { Chats } from './Chats.tsx';
import { ConfirmEmail, EmailForm } from './Email.tsx';
import { MailSwitches } from './MailSwitches.tsx';
import { PasswordForm, PasswordLink, PersonForm } from './Person.tsx';
import { ProofDialog } from './ProofDialog.tsx';
import { Sessions } from './Sessions.tsx';
import { type AccountProps, type AccountScreen, screenOf } from './screen.ts';
import { ended, losing } from './stakes.ts';
import './account.css';

const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="panel own__panel">
    <h2>{title}</h2>
    {children}
  </section>
);

/** Account page. `stored` is the server-rendered list of stored data. */
export default function Account({
  children: stored,
  ...props
}: AccountProps & { children?: ReactNode }) {
  const screen = screenOf(props);
  const { t, api, account, connection, language, again } = screen;
  const { links, admin } = props;
  const ready = useReady();
  const [asking, setAsking] = useState<'disconnect' | 'export' | 'delete' | null>(null);
  const shared = { screen, onClose: () => setAsking(null) };
  const date = dateTime(props.goneAt, language, 'full');

  return (
    <div className="own">
      {/* Signing in again starts with a sign-out. Separate, since forms cannot be nested. */}
      <form id="sign-in-again" method="post" action="/sign-out" hidden />
      {account.goneAt && <Stay screen={screen} goneAt={account.goneAt} ready={ready} />}
      <Panel title={t('you.title')}>
        <dl className="own__facts">
          <dt>{t('you.email')}</dt>
          <dd>
            <bdi>{account.email ?? '–'}</bdi>
          </dd>
        </dl>
        {account.email !== null && <ChangeEmail screen={screen} ready={ready} />}
        {account.email === null &&
          (props.confirm ? (
            <ConfirmEmail screen={screen} token={props.confirm} ready={ready} />
          ) : (
            <EmailForm screen={screen} />
          ))}
        <PersonForm screen={screen} />
      </Panel>
      <Panel title={t('password.title')}>
        {account.hasPassword && <PasswordForm screen={screen} admin={admin} />}
        {!account.hasPassword &&
          (account.email === null ? (
            <p>{t('you.passwordLater')}</p>
          ) : (
            <PasswordLink screen={screen} ready={ready} />
          ))}
      </Panel>
      <Panel title={t('signIns.title')}>
        <ul className="own__rows" hidden={account.signIns.length === 0}>
          {account.signIns.map(({ provider, since }) => (
            <li key={provider} className="row row--apart">
              <div>
                <strong>
                  {t(provider === 'google' ? 'signIns.google' : 'signIns.credential')}
                </strong>
                <p className="soft small">
                  {t('since', { date: dateTime(since, language, 'date') })}
                </p>
              </div>
              {provider === 'google' && account.hasPassword && (
                <Button
                  compact
                  data-act="disconnect"
                  disabled={!ready}
                  onClick={() => setAsking('disconnect')}
                >
                  {t('signIns.disconnect')}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {account.signIns.length === 0 && <p>{t('signIns.byChat')}</p>}
        {!account.hasPassword && account.signIns.length > 0 && (
          <p className="soft">{t('signIns.last')}</p>
        )}
        {links.google &&
          account.email !== null &&
          !account.signIns.some(({ provider }) => provider === 'google') && (
            <>
              <p className="soft">{t('signIns.connectText', { email: account.email ?? '' })}</p>
              <ButtonLink href={links.google}>{t('signIns.connect')}</ButtonLink>
            </>
          )}
        {admin && (
          <>
            <p>{t('selling.factor')}</p>
            <ButtonLink href={links.factor}>{t('selling.toFactor')}</ButtonLink>
          </>
        )}
      </Panel>
      <Panel title={t('sessions.title')}>
        <Sessions screen={screen} ready={ready} />
      </Panel>
      {account.chats && (
        <Panel title={t('chats.title')}>
          <Chats screen={screen} chats={account.chats} ways={props.ways} ready={ready} />
        </Panel>
      )}
      {!admin && !account.goneAt && (
        <Panel title={t('selling.title')}>
          <p>{t(account.sells ? 'selling.profile' : 'selling.start')}</p>
          <ButtonLink href={account.sells ? links.profile : links.start}>
            {t(account.sells ? 'selling.toProfile' : 'selling.toStart')}
          </ButtonLink>
        </Panel>
      )}
      <Panel title={t('credits.title')}>
        <p>{t('credits.text')}</p>
        <ButtonLink href={links.credits}>{t('credits.open')}</ButtonLink>
      </Panel>
      {account.letters.length > 0 && (
        <Panel title={t('letters.title')}>
          <p className="soft">{t('letters.text')}</p>
          <MailSwitches screen={screen} ready={ready} />
        </Panel>
      )}
      <section className="panel own__panel">
        {stored}
        <p>{t('data.downloadText')}</p>
        <Button data-act="export" disabled={!ready} onClick={() => setAsking('export')}>
          <Icon name="download" />
          {t('data.download')}
        </Button>
      </section>
      {!account.goneAt && (
        <Panel title={t('delete.title')}>
          <p>{t('delete.text')}</p>
          <Button
            variant="danger"
            data-act="delete"
            disabled={!ready}
            onClick={() => setAsking('delete')}
          >
            {t('delete.button')}
          </Button>
        </Panel>
      )}
      <ProofDialog
        {...shared}
        open={asking === 'disconnect'}
        title={t('signIns.disconnectTitle')}
        consequence={<p>{t('signIns.disconnectText')}</p>}
        confirm={t('signIns.disconnect')}
        act={async (json) => {
          await unwrap(
            api.account['sign-ins'][':provider'].disconnect.$post({
              param: { provider: 'google' },
              json,
            }),
            connection,
          );
          again(t('signIns.disconnected'));
          return leaving;
        }}
      />
      <ProofDialog
        {...shared}
        open={asking === 'export'}
        title={t('data.dialogTitle')}
        consequence={<p>{t('data.dialogText')}</p>}
        confirm={t('data.download')}
        act={async (json) => {
          const { id } = await unwrap(api.account.export.$post({ json }), connection);
          setAsking(null);
          toast.success(t('data.started'));
          // The browser saves the download itself, whatever its size.
          window.location.assign(`/api/account/export/${id}`);
        }}
      />
      <ProofDialog
        {...shared}
        open={asking === 'delete'}
        title={t('delete.dialogTitle')}
        tone="danger"
        consequence={
          <>
            <p>
              <strong>{t('delete.consequence', { date })}</strong>
            </p>
            {account.sells && <p>{t('delete.consequenceSeller')}</p>}
            {losing(account.stakes).map(({ key, count }) => (
              <p key={key}>{t(key, { count })}</p>
            ))}
            <p>{t('delete.consequenceElse')}</p>
          </>
        }
        confirm={t('delete.confirm')}
        act={async (json) => {
          const { goneAt } = await unwrap(api.account.leave.$post({ json }), connection);
          // The note with the way back is at the top.
          window.scrollTo(0, 0);
          again(t('delete.asked', { date: dateTime(goneAt, language, 'full') }));
          return leaving;
        }}
      />
    </div>
  );
}

/** Note with the button that cancels the deletion. */
function Stay({
  screen: { t, api, account, connection, language, signIn, again },
  goneAt,
  ready,
}: {
  screen: AccountScreen;
  goneAt: string;
  ready: boolean;
}) {
  const stay = useAction({
    signIn,
    call: () => unwrap(api.account.stay.$post(), connection),
    failure: ({ message }) => t('leaving.failed', { message }),
    onDone: () => again(t('leaving.kept')),
  });
  return (
    <Note tone="wait" title={t('leaving.title', { date: dateTime(goneAt, language, 'full') })}>
      {ended(account.stakes).map(({ key, count }) => (
        <p key={key}>{t(key, { count })}</p>
      ))}
      <p>{t('leaving.text')}</p>
      <Button
        className="own__keep"
        variant="primary"
        busy={stay.isPending}
        disabled={!ready}
        onClick={() => stay.mutate()}
      >
        {t('leaving.keep')}
      </Button>
    </Note>
  );
}
