import { useEffect, useState } from 'react';
import { emailOnly } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { QuestionField } from '../forms/QuestionField.tsx';
import { useForm } from '../forms/useForm.ts';
import { EmailField } from './fields.tsx';
import { waitingEmail } from './remembered.ts';
import type { ResendWords } from './words.ts';

/** Pause of the button after each mail. */
const restSeconds = 30;

type Props = {
  language: Language;
  /** If known, no field is shown. */
  email?: string | undefined;
  /** Label of the field for an unknown address. */
  label?: string;
  words: ResendWords;
  validation: Dictionaries['validation'];
  connection: string;
  primary?: boolean;
};

/** Requests a new verification mail and reports the outcome. */
export function ResendEmail({
  language,
  email,
  label,
  words,
  validation,
  connection,
  primary,
}: Props) {
  const t = clientTranslator(language, words);
  const [rest, setRest] = useState(0);
  const form = useForm({
    language,
    validation,
    schema: emailOnly,
    also: () => (email ? { email } : {}),
    send: async (json) => {
      if (rest > 0) return;
      await unwrap(browserApi(language).auth['resend-verification'].$post({ json }), connection);
      waitingEmail.remember(json.email, false);
      toast.success(t('sent'));
      setRest(restSeconds);
    },
    onRefused: ({ code, message }) => {
      if (code === 'auth.challenge') return false;
      toast.error(t('resendFailed'), { description: message });
      return false;
    },
  });

  useEffect(() => {
    if (rest <= 0) return;
    const timer = setTimeout(() => setRest(rest - 1), 1000);
    return () => clearTimeout(timer);
  }, [rest]);

  return (
    <form {...form.props} className="resend">
      {!email && <EmailField {...form.field('email')} label={label} />}
      {form.asked && <p role="alert">{form.refused?.message}</p>}
      <QuestionField form={form} />
      <Button
        type="submit"
        variant={primary ? 'primary' : 'quiet'}
        busy={form.busy}
        disabled={!form.ready || rest > 0}
      >
        <Icon name="mail" />
        {rest > 0 ? t('resendIn', { seconds: rest }) : t('resend')}
      </Button>
    </form>
  );
}
