import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { signInLink } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { type FieldErrors, focusFirstWrong, judge, typed, useReady } from '../../lib/form.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { CodeField } from './CodeField.tsx';

export type SignInLinkProps = {
  language: Language;
  hasToken: boolean;
  links: { auth: string; seller: string; admin: string };
  words: Omit<Dictionaries['seller']['signInLink'], 'offer' | 'send' | 'sent'>;
  welcome: string;
  validation: Dictionaries['validation'];
  connection: string;
};

/** Signs in by a mailed link, when the reader says so: a mail scanner that opens the page, scripts and all, does not use it. */
export default function SignInLink({ language, hasToken, links, words, welcome, validation, connection }: SignInLinkProps) {
  const t = clientTranslator(language, words);
  const ready = useReady();
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [state, setState] = useState<'ready' | 'code' | 'over'>(hasToken ? 'ready' : 'over');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const asksCode = state === 'code';

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);
  useEffect(() => {
    if (state === 'code') form.current?.querySelector<HTMLElement>('[name=code]')?.focus();
    if (state === 'over') heading.current?.focus();
  }, [state]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const token = new URL(window.location.href).searchParams.get('token') ?? '';
    const judged = judge(signInLink, { token, ...(asksCode ? { code: typed(new FormData(event.currentTarget), 'code') } : {}) }, language, validation);
    setRefused(undefined);
    setErrors(judged.ok ? {} : judged.errors);
    if (!judged.ok) return;
    setBusy(true);
    try {
      const { next } = await unwrap(browserApi(language).auth['sign-in-link'].use.$post({ json: judged.value }), connection);
      leaveFlash({ tone: 'success', title: welcome });
      window.location.replace(links[next]);
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'auth.codeNeeded') return setState('code');
      if (error.code.startsWith('auth.link')) setState('over');
      setErrors(error.fields);
      setRefused(error.message);
    }
  };

  if (state === 'over')
    return (
      <div className="account account--state">
        <div className="account__picture account__picture--expired">
          <Icon name="clock" />
        </div>
        <div className="account__news" role="status">
          <h1 ref={heading} tabIndex={-1}>
            {t('overTitle')}
          </h1>
          <p className="soft">{refused ?? t('overText')}</p>
        </div>
        <ButtonLink variant="primary" wide href={links.auth}>
          {t('back')}
        </ButtonLink>
      </div>
    );
  return (
    <div className="account">
      <div>
        <h1>{asksCode ? t('codeTitle') : t('title')}</h1>
        {!asksCode && <p className="soft">{t('text')}</p>}
      </div>
      <div role="alert">{refused && <Note tone="bad">{refused}</Note>}</div>
      {asksCode && !refused && <Note>{t('codeText')}</Note>}
      <form ref={form} className="account__form" method="post" noValidate onSubmit={submit}>
        {asksCode && <CodeField label={t('code')} hint={t('codeHint')} error={errors.code} readOnly={busy} />}
        <Button type="submit" variant="primary" wide busy={busy} disabled={!ready}>
          {t('submit')}
        </Button>
        <span className="unseen" role="status">
          {busy && t('submitting')}
        </span>
      </form>
    </div>
  );
}
