import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { verifyEmail } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError } from '../../lib/api.ts';
import { type FieldErrors, focusFirstWrong, judge, typed } from '../../lib/form.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, TextInput } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';

export type Claim = { password: string } | { newPassword: string };

type Props = {
  language: Language;
  words: Dictionaries['seller']['verification']['claim'];
  also: { passwordHint: string; showPassword: string };
  validation: Dictionaries['validation'];
  /** Sends the link with what was typed; rejects with an `ApiError`. */
  confirm(claim: Claim): Promise<void>;
};

/**
 * What a link asks for in another browser than the one of its sign-up: the password of the sign-up, or a new one instead of it. The mailbox
 * alone does not tell who wrote the sign-up (docs/decisions/sign-up-and-lockout.md).
 */
export function ClaimForm({ language, words, also, validation, confirm }: Props) {
  const t = clientTranslator(language, words);
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [anew, setAnew] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState(false);
  const name = anew ? 'newPassword' : 'password';

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the question changes, its heading is read out
  useEffect(() => heading.current?.focus(), [anew]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const text = typed(new FormData(event.currentTarget), name);
    const claim: Claim = anew ? { newPassword: text } : { password: text };
    const judged = judge(verifyEmail, { token: 'of the address', ...claim }, language, validation);
    setRefused(undefined);
    setErrors(judged.ok ? {} : judged.errors);
    if (!judged.ok) return;
    setBusy(true);
    try {
      await confirm(claim);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setErrors(error.fields);
      setRefused(error.message);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="account">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {anew ? t('newTitle') : t('title')}
        </h1>
        <p className="soft">{anew ? t('newText') : t('text')}</p>
      </div>
      <div role="alert">{refused && <Note tone="bad">{refused}</Note>}</div>
      <form ref={form} className="account__form" method="post" noValidate onSubmit={submit}>
        <div className="account__part">
          <TextInput
            key={name}
            label={anew ? t('newPassword') : t('password')}
            name={name}
            type={shown ? 'text' : 'password'}
            required
            autoComplete={anew ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            hint={anew ? also.passwordHint : undefined}
            error={errors[name]}
            readOnly={busy}
          />
          <Checkbox label={also.showPassword} checked={shown} onChange={(event) => setShown(event.target.checked)} />
        </div>
        <Button type="submit" variant="primary" wide busy={busy}>
          {anew ? t('save') : t('confirm')}
        </Button>
      </form>
      <Button
        variant="bare"
        wide
        onClick={() => {
          if (busy) return;
          setAnew(!anew);
          setErrors({});
          setRefused(undefined);
        }}
      >
        {anew ? t('back') : t('other')}
      </Button>
    </div>
  );
}
