import { useState } from 'react';
import { signInLink } from '../../../../api/auth/schema.ts';
import { ownPath } from '../../../../api/shared/ownPath.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { leaving, useForm } from '../forms/useForm.ts';
import { AccountForm, AccountState } from './AccountForm.tsx';
import { CodeField } from './CodeField.tsx';
import { linkToken } from './linkToken.ts';

export type SignInLinkProps = {
  language: Language;
  hasToken: boolean;
  links: { auth: string };
  words: Omit<Dictionaries['seller']['signInLink'], 'offer' | 'send' | 'sent'>;
  welcome: string;
  validation: Dictionaries['validation'];
  connection: string;
};

/** Signs in by a mailed link, on a press only: mail scanners open the page and run its scripts. */
export default function SignInLink({
  language,
  hasToken,
  links,
  words,
  welcome,
  validation,
  connection,
}: SignInLinkProps) {
  const t = clientTranslator(language, words);
  const [state, setState] = useState<'ready' | 'code' | 'over'>(hasToken ? 'ready' : 'over');
  const asksCode = state === 'code';
  const form = useForm({
    language,
    validation,
    schema: signInLink,
    also: () => ({ token: linkToken() }),
    send: async (json) => {
      const { next } = await unwrap(
        browserApi(language).auth['sign-in-link'].use.$post({ json }),
        connection,
      );
      leaveFlash({ tone: 'success', title: welcome });
      window.location.replace(ownPath(next));
      return leaving;
    },
    onRefused: ({ code }) => {
      if (code.startsWith('auth.link')) setState('over');
      if (code === 'auth.codeNeeded') setState('code');
      return code === 'auth.codeNeeded';
    },
  });

  if (state === 'over')
    return (
      <AccountState
        kind="expired"
        title={t('overTitle')}
        focus={state}
        news={<p className="soft">{form.refused?.message ?? t('overText')}</p>}
      >
        <ButtonLink variant="primary" wide href={links.auth}>
          {t('back')}
        </ButtonLink>
      </AccountState>
    );
  return (
    <AccountForm
      form={form}
      title={asksCode ? t('codeTitle') : t('title')}
      text={asksCode ? undefined : t('text')}
      note={asksCode && !form.refused && <Note>{t('codeText')}</Note>}
      submit={t('submit')}
      submitting={t('submitting')}
    >
      {asksCode && <CodeField {...form.field('code')} label={t('code')} hint={t('codeHint')} />}
    </AccountForm>
  );
}
