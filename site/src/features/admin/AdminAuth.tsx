import { type FormEvent, useEffect, useRef, useState } from 'react';
import { adminSignIn } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { type FieldErrors, focusFirstWrong, judge, typed, useReady } from '../../lib/form.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { CodeField } from '../accounts/CodeField.tsx';
import { OfferLink } from '../accounts/OfferLink.tsx';

export type AdminAuthProps = {
  language: Language;
  /** Registration only says that there is none. */
  mode: 'sign-in' | 'sign-up';
  links: { auth: string; done: string };
  /** The reader has just signed out. */
  signedOut: boolean;
  words: Dictionaries['admin']['auth'];
  offer: Pick<Dictionaries['seller']['signInLink'], 'offer' | 'send' | 'sent'>;
  validation: Dictionaries['validation'];
};

/** The door of the admin's side (product §2 /admin/auth). */
export default function AdminAuth({ language, mode: first, links, signedOut, words, offer, validation }: AdminAuthProps) {
  const t = clientTranslator(language, words);
  const ready = useReady();
  const form = useRef<HTMLFormElement>(null);
  const [mode, setMode] = useState(first);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refused, setRefused] = useState<{ text: string; keptOut?: string }>();
  const [busy, setBusy] = useState(false);
  // The password was right, and the account has a second factor: what was typed stays in the form and is sent again with the code.
  const [asksCode, setAsksCode] = useState(false);
  const signingUp = mode === 'sign-up';

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);

  useEffect(() => {
    if (asksCode) form.current?.querySelector<HTMLElement>('[name=code]')?.focus();
  }, [asksCode]);

  const startOver = () => {
    form.current?.reset();
    setAsksCode(false);
    setErrors({});
    setRefused(undefined);
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const data = new FormData(event.currentTarget);
    const given = { email: typed(data, 'email'), password: typed(data, 'password'), ...(asksCode ? { code: typed(data, 'code') } : {}) };
    const judged = judge(adminSignIn, given, language, validation);
    setRefused(undefined);
    setErrors(judged.ok ? {} : judged.errors);
    if (!judged.ok) return;
    setBusy(true);
    try {
      await unwrap(browserApi(language).auth.admin['sign-in'].$post({ json: judged.value }), t('unknownError'));
      leaveFlash({ tone: 'success', title: t('success') });
      window.location.assign(links.done);
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.code === 'auth.codeNeeded') return setAsksCode(true);
      const message = error instanceof ApiError ? error.message : t('unknownError');
      if (error instanceof ApiError) setErrors(error.fields);
      const keptOut = error instanceof ApiError && error.code === 'auth.tooManyAttempts' && !asksCode;
      setRefused({ text: message, ...(keptOut ? { keptOut: given.email } : {}) });
    }
  };

  return (
    <div className="account">
      <div>
        <h1>{signingUp ? t('signUpTitle') : asksCode ? t('codeTitle') : t('title')}</h1>
      </div>
      {signedOut && !refused && !signingUp && !asksCode && <Note tone="good">{t('loggedOut')}</Note>}
      <div role="alert">
        {refused && !signingUp && (
          <Note tone="bad">
            {refused.text}
            {refused.keptOut && <OfferLink language={language} email={refused.keptOut} words={offer} connection={t('unknownError')} />}
          </Note>
        )}
      </div>
      {asksCode && !refused && <Note>{t('codeText')}</Note>}
      {signingUp && <Note tone="wait">{t('restricted')}</Note>}
      <form ref={form} className="account__form" method="post" noValidate hidden={signingUp} onSubmit={submit}>
        <div className="account__form" hidden={asksCode}>
          <TextInput
            label={t('email')}
            name="email"
            type="email"
            inputMode="email"
            required
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={t('emailPlaceholder')}
            error={errors.email}
            readOnly={busy}
          />
          <TextInput
            label={t('password')}
            name="password"
            type="password"
            required
            autoComplete="current-password"
            maxLength={200}
            hint={t('passwordHint')}
            error={errors.password}
            readOnly={busy}
          />
        </div>
        {asksCode && <CodeField label={t('code')} hint={t('codeHint')} error={errors.code} readOnly={busy} />}
        <Button type="submit" variant="primary" wide busy={busy} disabled={!ready}>
          {t('submit')}
        </Button>
        <span className="unseen" role="status">
          {busy && t('submitting')}
        </span>
      </form>
      {asksCode ? (
        <Button variant="bare" wide onClick={() => !busy && startOver()}>
          {t('codeBack')}
        </Button>
      ) : (
        <ButtonLink
          variant="bare"
          wide
          href={signingUp ? links.auth : `${links.auth}?mode=sign-up`}
          onClick={(event) => {
            event.preventDefault();
            if (busy) return;
            setMode(signingUp ? 'sign-in' : 'sign-up');
            setErrors({});
            setRefused(undefined);
          }}
        >
          {signingUp ? t('toSignIn') : t('toSignUp')}
        </ButtonLink>
      )}
    </div>
  );
}
