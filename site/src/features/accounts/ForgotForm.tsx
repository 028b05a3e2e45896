import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { emailOnly } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { type FieldErrors, focusFirstWrong, judge, typed, useReady } from '../../lib/form.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';

export type ForgotFormProps = {
  language: Language;
  links: { auth: string };
  words: Dictionaries['seller']['forgot'];
  fields: Pick<Dictionaries['seller']['auth'], 'email' | 'emailPlaceholder'>;
  validation: Dictionaries['validation'];
  connection: string;
};

/** Asks for a link to choose a new password. The answer is the same whether or not the address is known (product R26). */
export default function ForgotForm({ language, links, words, fields, validation, connection }: ForgotFormProps) {
  const t = clientTranslator(language, words);
  const ready = useReady();
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [sentTo, setSentTo] = useState<string>();

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);
  useEffect(() => {
    if (sentTo) heading.current?.focus();
  }, [sentTo]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const email = typed(new FormData(event.currentTarget), 'email');
    const judged = judge(emailOnly, { email }, language, validation);
    setRefused(undefined);
    setErrors(judged.ok ? {} : judged.errors);
    if (!judged.ok) return;
    setBusy(true);
    try {
      await unwrap(browserApi(language).auth['forgot-password'].$post({ json: { email } }), connection);
      setSentTo(email.trim());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setErrors(error.fields);
      setRefused(error.message);
    } finally {
      setBusy(false);
    }
  };

  const back = (
    <ButtonLink variant={sentTo ? 'quiet' : 'bare'} wide href={links.auth}>
      <Icon name="left" />
      {t('back')}
    </ButtonLink>
  );

  if (sentTo)
    return (
      <div className="account account--state">
        <div className="account__picture account__picture--pending">
          <Icon name="mail" />
        </div>
        <div className="account__news" role="status">
          <h1 ref={heading} tabIndex={-1}>
            {t('sentTitle')}
          </h1>
          <p className="soft">{t('sentText', { email: sentTo })}</p>
        </div>
        {back}
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
          label={fields.email}
          name="email"
          type="email"
          inputMode="email"
          required
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={fields.emailPlaceholder}
          error={errors.email}
          readOnly={busy}
        />
        <Button type="submit" variant="primary" wide busy={busy} disabled={!ready}>
          {t('submit')}
        </Button>
      </form>
      {back}
    </div>
  );
}
