import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { emailOnly } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { focusFirstWrong, judge, typed } from '../../lib/form.ts';
import { Button } from '../../ui/Button.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { waitingEmail } from './remembered.ts';

/** How long the button rests after a mail was sent. */
const restSeconds = 30;

type Props = {
  language: Language;
  /** Known already: then nothing is asked. */
  email?: string | undefined;
  words: Pick<Dictionaries['seller']['verification'], 'resend' | 'resendIn' | 'sent' | 'resendFailed'>;
  /** With a field for the address, where it is not known. */
  ask?: { label: string; validation: Dictionaries['validation'] };
  connection: string;
  primary?: boolean;
};

/** Asks for a new verification mail, and says how it went. */
export function ResendEmail({ language, email, words, ask, connection, primary }: Props) {
  const t = clientTranslator(language, words);
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState(0);
  const [error, setError] = useState<string>();

  useEffect(() => {
    if (rest <= 0) return;
    const timer = setTimeout(() => setRest(rest - 1), 1000);
    return () => clearTimeout(timer);
  }, [rest]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    if (busy || rest > 0) return;
    const to = email ?? typed(new FormData(event.currentTarget), 'email');
    if (ask && !email) {
      const judged = judge(emailOnly, { email: to }, language, ask.validation);
      setError(judged.ok ? undefined : judged.errors.email);
      if (!judged.ok) {
        requestAnimationFrame(() => focusFirstWrong(form.current));
        return;
      }
    }
    setBusy(true);
    try {
      await unwrap(browserApi(language).auth['resend-verification'].$post({ json: { email: to } }), connection);
      waitingEmail.remember(to, false);
      toast.success(t('sent'));
      setRest(restSeconds);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      toast.error(t('resendFailed'), { description: failure.message });
      setError(failure.fields.email);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form ref={form} className="resend" method="post" noValidate onSubmit={submit}>
      {ask && !email && (
        <TextInput
          label={ask.label}
          name="email"
          type="email"
          inputMode="email"
          required
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          error={error}
          readOnly={busy}
        />
      )}
      <Button type="submit" variant={primary ? 'primary' : 'quiet'} busy={busy} disabled={rest > 0}>
        <Icon name="mail" />
        {rest > 0 ? t('resendIn', { seconds: rest }) : t('resend')}
      </Button>
    </form>
  );
}
