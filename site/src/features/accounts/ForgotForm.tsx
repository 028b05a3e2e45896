import { useState } from 'react';
import { emailOnly } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useForm } from '../forms/useForm.ts';
import { AccountForm, AccountState } from './AccountForm.tsx';
import { EmailField } from './fields.tsx';

export type ForgotFormProps = {
  language: Language;
  links: { auth: string };
  words: Dictionaries['seller']['forgot'];
  fields: Pick<Dictionaries['seller']['auth'], 'email' | 'emailPlaceholder'>;
  validation: Dictionaries['validation'];
  connection: string;
};

/**
 * Requests a password reset link. The answer does not reveal whether the address is known
 * (product R26).
 */
export default function ForgotForm({
  language,
  links,
  words,
  fields,
  validation,
  connection,
}: ForgotFormProps) {
  const t = clientTranslator(language, words);
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    language,
    validation,
    schema: emailOnly,
    send: async (json) => {
      await unwrap(browserApi(language).auth['forgot-password'].$post({ json }), connection);
      setSentTo(json.email.trim());
    },
  });

  const back = (
    <ButtonLink variant={sentTo ? 'quiet' : 'bare'} wide href={links.auth}>
      <Icon name="left" />
      {t('back')}
    </ButtonLink>
  );
  if (sentTo)
    return (
      <AccountState
        kind="pending"
        title={t('sentTitle')}
        focus="sent"
        news={<p className="soft">{t('sentText', { email: sentTo })}</p>}
      >
        {back}
      </AccountState>
    );
  return (
    <AccountForm form={form} title={t('title')} text={t('text')} submit={t('submit')} below={back}>
      <EmailField
        {...form.field('email')}
        label={fields.email}
        placeholder={fields.emailPlaceholder}
      />
    </AccountForm>
  );
}
