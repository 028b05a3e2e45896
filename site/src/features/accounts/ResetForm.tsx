import { useState } from 'react';
import * as z from 'zod/mini';
import { resetPassword } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { useForm } from '../forms/useForm.ts';
import { AccountForm, AccountState } from './AccountForm.tsx';
import { PasswordField } from './fields.tsx';
import { linkToken } from './linkToken.ts';

export type ResetFormProps = {
  language: Language;
  hasToken: boolean;
  links: { auth: string; forgot: string };
  words: Dictionaries['seller']['reset'];
  also: { passwordHint: string; showPassword: string; signIn: string; connection: string };
  validation: Dictionaries['validation'];
};

/** Compares the repetition only once the password itself is valid. */
const twice = z.extend(resetPassword, { repeat: z.string() }).check(
  z.refine(({ password, repeat }) => password === repeat, {
    path: ['repeat'],
    error: 'passwordsDiffer',
    when: ({ issues }) => issues.length === 0,
  }),
);

/** Sets a new password with a mailed link. The token stays in the address until it is sent. */
export default function ResetForm({
  language,
  hasToken,
  links,
  words,
  also,
  validation,
}: ResetFormProps) {
  const t = clientTranslator(language, words);
  const [state, setState] = useState<'form' | 'done' | 'expired'>(hasToken ? 'form' : 'expired');
  const [shown, setShown] = useState(false);
  const form = useForm({
    language,
    validation,
    schema: twice,
    also: () => ({ token: linkToken() }),
    send: async ({ repeat: _, ...json }) => {
      await unwrap(browserApi(language).auth['reset-password'].$post({ json }), also.connection);
      window.history.replaceState(null, '', window.location.pathname);
      setState('done');
    },
    onRefused: ({ code }) => {
      if (code.startsWith('auth.link')) setState('expired');
    },
  });

  if (state !== 'form') {
    const done = state === 'done';
    return (
      <AccountState
        kind={done ? 'success' : 'expired'}
        title={done ? t('doneTitle') : t('expiredTitle')}
        focus={done ? state : undefined}
        news={<p className="soft">{done ? t('doneText') : t('expiredText')}</p>}
      >
        <ButtonLink variant="primary" wide href={done ? links.auth : links.forgot}>
          {done ? also.signIn : t('again')}
        </ButtonLink>
      </AccountState>
    );
  }
  return (
    <AccountForm form={form} title={t('title')} text={t('text')} submit={t('submit')}>
      <PasswordField
        {...form.field('password')}
        label={t('password')}
        shown={shown}
        autoComplete="new-password"
        hint={also.passwordHint}
      />
      <PasswordField
        {...form.field('repeat')}
        label={t('repeat')}
        shown={shown}
        autoComplete="new-password"
      />
      <Checkbox
        label={also.showPassword}
        checked={shown}
        onChange={(event) => setShown(event.target.checked)}
      />
    </AccountForm>
  );
}
