import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { resetPassword } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { type FieldErrors, focusFirstWrong, judge, typed, useReady } from '../../lib/form.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Checkbox, TextInput } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';

export type ResetFormProps = {
  language: Language;
  hasToken: boolean;
  links: { auth: string; forgot: string };
  words: Dictionaries['seller']['reset'];
  also: { passwordHint: string; showPassword: string; signIn: string; connection: string };
  validation: Dictionaries['validation'];
};

/** Chooses a new password with a mailed link. The token stays in the address and is read when it is needed. */
export default function ResetForm({ language, hasToken, links, words, also, validation }: ResetFormProps) {
  const t = clientTranslator(language, words);
  const ready = useReady();
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [state, setState] = useState<'form' | 'done' | 'expired'>(hasToken ? 'form' : 'expired');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState(false);

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);
  useEffect(() => {
    if (state === 'done') heading.current?.focus();
  }, [state]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const data = new FormData(event.currentTarget);
    const draft = { token: new URL(window.location.href).searchParams.get('token') ?? '', password: typed(data, 'password') };
    const judged = judge(resetPassword, draft, language, validation);
    const differ: FieldErrors = typed(data, 'repeat') !== draft.password ? { repeat: validation.passwordsDiffer } : {};
    const wrong = judged.ok ? differ : judged.errors;
    setRefused(undefined);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      await unwrap(browserApi(language).auth['reset-password'].$post({ json: draft }), also.connection);
      window.history.replaceState(null, '', window.location.pathname);
      setState('done');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code.startsWith('auth.link')) setState('expired');
      setErrors(error.fields);
      setRefused(error.message);
    } finally {
      setBusy(false);
    }
  };

  if (state !== 'form')
    return (
      <div className="account account--state">
        <div className={`account__picture account__picture--${state === 'done' ? 'success' : 'expired'}`}>
          <Icon name={state === 'done' ? 'check' : 'clock'} />
        </div>
        <div className="account__news" role="status">
          <h1 ref={heading} tabIndex={-1}>
            {state === 'done' ? t('doneTitle') : t('expiredTitle')}
          </h1>
          <p className="soft">{state === 'done' ? t('doneText') : t('expiredText')}</p>
        </div>
        <ButtonLink variant="primary" wide href={state === 'done' ? links.auth : links.forgot}>
          {state === 'done' ? also.signIn : t('again')}
        </ButtonLink>
      </div>
    );
  return (
    <div className="account">
      <div>
        <h1>{t('title')}</h1>
        <p className="soft">{t('text')}</p>
      </div>
      <div role="alert">{refused && <Note tone="bad">{refused}</Note>}</div>
      <form ref={form} className="account__form" method="post" noValidate onSubmit={submit}>
        <TextInput
          label={t('password')}
          name="password"
          type={shown ? 'text' : 'password'}
          required
          autoComplete="new-password"
          maxLength={200}
          hint={also.passwordHint}
          error={errors.password}
          readOnly={busy}
        />
        <TextInput
          label={t('repeat')}
          name="repeat"
          type={shown ? 'text' : 'password'}
          required
          autoComplete="new-password"
          maxLength={200}
          error={errors.repeat}
          readOnly={busy}
        />
        <Checkbox label={also.showPassword} checked={shown} onChange={(event) => setShown(event.target.checked)} />
        <Button type="submit" variant="primary" wide busy={busy} disabled={!ready}>
          {t('submit')}
        </Button>
      </form>
    </div>
  );
}
