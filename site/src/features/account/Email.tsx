import { newEmail } from '../../../../api/account/schema.ts';
import { unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { EmailField } from '../accounts/fields.tsx';
import { useAction } from '../actions/useAction.ts';
import { leaving, useForm } from '../forms/useForm.ts';
import { Refused } from './Person.tsx';
import type { AccountScreen } from './screen.ts';

/** Adds the first address of an account that began in a chat, by a mailed link. */
export function EmailForm({ screen }: { screen: AccountScreen }) {
  const { t, api, connection, words, language, again } = screen;
  const form = useForm({
    language,
    validation: words.validation,
    schema: newEmail,
    send: async (json) => {
      await unwrap(api.account.email.$post({ json }), connection);
      again(t('you.linkSent'), t('you.linkSentText'));
      return leaving;
    },
  });
  return (
    <form {...form.props} className="account__form own__form">
      <p>{t('you.addEmailText')}</p>
      <Refused form={form} title={t('you.failedTitle')} />
      <EmailField {...form.field('email')} label={t('you.addEmail')} />
      <Button type="submit" busy={form.busy} disabled={!form.ready}>
        {t('you.sendLink')}
      </Button>
    </form>
  );
}

/** Confirms a mailed link by a press: opening it changes nothing. */
export function ConfirmEmail({
  screen,
  token,
  ready,
}: {
  screen: AccountScreen;
  token: string;
  ready: boolean;
}) {
  const { t, api, connection, signIn } = screen;
  const confirm = useAction({
    once: true,
    signIn,
    call: () => unwrap(api.account.email.confirm.$post({ json: { token } }), connection),
    // Drops the used token from the address.
    onDone: ({ email }) => {
      leaveFlash({ tone: 'success', title: t('you.confirmed'), text: email });
      window.location.assign(window.location.pathname);
    },
    failure: ({ message }) => message,
  });
  return (
    <Note
      action={
        <Button
          compact
          variant="primary"
          busy={confirm.isPending}
          disabled={!ready}
          onClick={() => confirm.mutate()}
        >
          {t('you.confirm')}
        </Button>
      }
    >
      {t('you.confirmText')}
    </Note>
  );
}
