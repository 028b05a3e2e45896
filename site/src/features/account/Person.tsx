import * as z from 'zod/mini';
import {
  newAdminPassword,
  newLanguage,
  newName,
  newPassword,
} from '../../../../api/account/schema.ts';
import { languages } from '../../../../locales/languages.ts';
import { unwrap } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { NameField, PasswordField } from '../accounts/fields.tsx';
import { useAction } from '../actions/useAction.ts';
import { type Form, leaving, useForm } from '../forms/useForm.ts';
import type { AccountScreen } from './screen.ts';

const person = z.extend(newName, newLanguage.shape);

export function Refused({ form: { refused }, title }: { form: Form; title: string }) {
  return (
    <div role="alert">
      {refused && (
        <Note tone="bad" title={title}>
          {refused.message}
        </Note>
      )}
    </div>
  );
}

/** Form for name and email language. */
export function PersonForm({ screen }: { screen: AccountScreen }) {
  const { t, account, api, connection, words, language, again } = screen;
  const form = useForm({
    language,
    validation: words.validation,
    schema: person,
    send: async (typed) => {
      await unwrap(api.account.name.$put({ json: { name: typed.name } }), connection);
      await unwrap(api.account.language.$put({ json: { language: typed.language } }), connection);
      again(t('you.saved'));
      return leaving;
    },
  });
  return (
    <form {...form.props} className="account__form own__form">
      <Refused form={form} title={t('you.failedTitle')} />
      <NameField
        {...form.field('name')}
        label={t('you.name')}
        hint={t(account.sells ? 'you.nameHintSeller' : 'you.nameHint')}
        defaultValue={account.name}
      />
      <Select
        name="language"
        label={t('you.language')}
        hint={t('you.languageHint')}
        defaultValue={account.language}
        options={languages.map((value) => ({ value, label: words.languages[value] ?? value }))}
      />
      <Button type="submit" busy={form.busy} disabled={!form.ready}>
        {t('you.save')}
      </Button>
    </form>
  );
}

/** Changes the password, with the present one. */
export function PasswordForm({ screen, admin }: { screen: AccountScreen; admin: boolean }) {
  const { t, api, connection, words, language, again } = screen;
  const form = useForm({
    language,
    validation: words.validation,
    schema: admin ? newAdminPassword : newPassword,
    send: async (json) => {
      await unwrap(api.account.password.$put({ json }), connection);
      again(t('password.saved'), t('password.savedText'));
      return leaving;
    },
  });
  return (
    <form {...form.props} className="account__form own__form">
      <Refused form={form} title={t('you.failedTitle')} />
      <PasswordField
        {...form.field('password')}
        label={t('password.present')}
        autoComplete="current-password"
      />
      <PasswordField
        {...form.field('newPassword')}
        label={t('password.chosen')}
        hint={admin ? t('password.hintAdmin') : t('password.hint')}
        autoComplete="new-password"
      />
      <Button type="submit" busy={form.busy} disabled={!form.ready}>
        {t('password.save')}
      </Button>
    </form>
  );
}

/** Mails a link that sets the first password of an account without one. */
export function PasswordLink({ screen, ready }: { screen: AccountScreen; ready: boolean }) {
  const { t, api, account, connection, signIn } = screen;
  const mail = useAction({
    once: true,
    signIn,
    call: () => unwrap(api.account.password.link.$post(), connection),
    success: () => ({ title: t('password.sent'), description: t('password.sentText') }),
    failure: ({ message }) => t('password.failed', { message }),
  });
  return (
    <>
      <p>{t('password.none', { email: account.email ?? '' })}</p>
      <Button busy={mail.isPending} disabled={!ready} onClick={() => mail.mutate()}>
        {t('password.link')}
      </Button>
    </>
  );
}
