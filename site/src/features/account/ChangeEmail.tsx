import { useState } from 'react';
import { changedEmail } from '../../../../api/account/schema.ts';
import { unwrap } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { EmailField } from '../accounts/fields.tsx';
import { useAction } from '../actions/useAction.ts';
import { leaving, useForm } from '../forms/useForm.ts';
import { ProofFrame } from './ProofDialog.tsx';
import type { AccountScreen, OwnAccount } from './screen.ts';

type Waiting = NonNullable<OwnAccount['emailChange']>;

/** Change of the email address: button, and the pending change. */
export function ChangeEmail({ screen, ready }: { screen: AccountScreen; ready: boolean }) {
  const { t, account } = screen;
  const [open, setOpen] = useState(false);
  return (
    <div className="own__change">
      {account.emailChange && (
        <Pending screen={screen} waiting={account.emailChange} ready={ready} />
      )}
      {!account.goneAt && (
        <Button data-act="change-email" disabled={!ready} onClick={() => setOpen(true)}>
          {t('you.change')}
        </Button>
      )}
      <ChangeDialog screen={screen} open={open} onClose={() => setOpen(false)} />
    </div>
  );
}

function Pending({
  screen: { t, api, connection, signIn, language, again },
  waiting,
  ready,
}: {
  screen: AccountScreen;
  waiting: Waiting;
  ready: boolean;
}) {
  const resend = useAction({
    signIn,
    call: () => unwrap(api.account.email.change.resend.$post(), connection),
    failure: ({ message }) => t('you.resendFailed', { message }),
    onDone: () => again(t('you.resent')),
  });
  const cancel = useAction({
    signIn,
    call: () => unwrap(api.account.email.change.$delete(), connection),
    failure: ({ message }) => t('you.cancelFailed', { message }),
    onDone: () => again(t('you.cancelled')),
  });
  const busy = resend.isPending || cancel.isPending;
  const params = { email: waiting.email, date: dateTime(waiting.until, language, 'full') };
  return (
    <Note tone="wait" title={t('you.pendingTitle')}>
      <p className="own__pending">
        {t(waiting.here ? 'you.pendingText' : 'you.pendingElsewhere', params)}
      </p>
      <div className="row own__keep">
        {waiting.here && (
          <Button
            compact
            data-act="resend-email"
            busy={resend.isPending}
            disabled={!ready || busy}
            onClick={() => resend.mutate()}
          >
            {t('you.resend')}
          </Button>
        )}
        <Button
          compact
          data-act="cancel-email"
          busy={cancel.isPending}
          disabled={!ready || busy}
          onClick={() => cancel.mutate()}
        >
          {t('you.cancelChange')}
        </Button>
      </div>
    </Note>
  );
}

type DialogProps = { screen: AccountScreen; open: boolean; onClose: () => void };

/** Asks for the new address and re-authentication. */
const ChangeDialog = guardDialog(function ChangeDialog({ screen, open, onClose }: DialogProps) {
  const { t, account, api, connection, language, words, again: reload } = screen;
  const form = useForm({
    language,
    validation: words.validation,
    schema: changedEmail,
    send: async (json) => {
      await unwrap(api.account.email.change.$post({ json }), connection);
      reload(t('you.linkSent'), t('you.linkSentText'));
      return leaving;
    },
  });
  return (
    <ProofFrame
      screen={screen}
      form={form}
      open={open}
      title={t('you.changeTitle')}
      consequence={<p>{t('you.changeText')}</p>}
      confirm={t('you.sendLink')}
      above={<EmailField {...form.field('email')} label={t('you.newEmail')} />}
      below={
        account.secondFactor && (
          <TextInput
            {...form.field('code')}
            label={t('you.code')}
            hint={t('you.codeHint')}
            required
            autoComplete="one-time-code"
            maxLength={40}
          />
        )
      }
      onClose={onClose}
    />
  );
});
