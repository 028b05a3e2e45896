import { useState } from 'react';
import { mailedSignIn } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { QuestionField } from '../forms/QuestionField.tsx';
import { useForm } from '../forms/useForm.ts';
import type { OfferWords } from './words.ts';

type Props = {
  language: Language;
  email: string;
  next: string;
  words: OfferWords;
  validation: Dictionaries['validation'];
  connection: string;
};

/** Offers a mailed link after too many wrong passwords, which may be a stranger's. */
export function OfferLink({ language, email, next, words, validation, connection }: Props) {
  const t = clientTranslator(language, words);
  const [sent, setSent] = useState(false);
  const form = useForm({
    language,
    validation,
    schema: mailedSignIn,
    also: () => ({ email, next }),
    send: async (json) => {
      await unwrap(browserApi(language).auth['sign-in-link'].$post({ json }), connection);
      setSent(true);
    },
  });
  return (
    <form {...form.props} className="resend">
      <p role="status">
        {sent ? t('sent', { email: email.trim() }) : (form.refused?.message ?? t('offer'))}
      </p>
      <QuestionField form={form} />
      {!sent && (
        <Button type="submit" busy={form.busy}>
          <Icon name="mail" />
          {t('send')}
        </Button>
      )}
    </form>
  );
}
