import { useEffect, useRef, useState } from 'react';
import { verifyEmail } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { useForm } from '../forms/useForm.ts';
import { AccountForm } from './AccountForm.tsx';
import { PasswordField } from './fields.tsx';
import { linkToken } from './linkToken.ts';

export type Claim = {
  token: string;
  password?: string | undefined;
  newPassword?: string | undefined;
};

type Props = {
  language: Language;
  words: Dictionaries['seller']['verification']['claim'];
  also: { passwordHint: string; showPassword: string };
  validation: Dictionaries['validation'];
  /** Confirms the link; rejects with an `ApiError`. */
  confirm(claim: Claim): Promise<void>;
};

/**
 * Confirms a link opened in another browser than the sign-up's: asks for its password, or a new
 * one. Access to the mailbox does not prove who signed up (decision 006).
 */
export function ClaimForm({ language, words, also, validation, confirm }: Props) {
  const t = clientTranslator(language, words);
  const heading = useRef<HTMLHeadingElement>(null);
  const [anew, setAnew] = useState(false);
  const [shown, setShown] = useState(false);
  const name = anew ? 'newPassword' : 'password';
  const form = useForm({
    language,
    validation,
    schema: verifyEmail,
    also: () => ({ token: linkToken() }),
    send: confirm,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the question changes, its heading is read out
  useEffect(() => heading.current?.focus(), [anew]);

  const another = (
    <Button
      variant="bare"
      wide
      onClick={() => {
        if (form.busy) return;
        setAnew(!anew);
        form.clear();
      }}
    >
      {anew ? t('back') : t('other')}
    </Button>
  );
  return (
    <AccountForm
      form={form}
      heading={heading}
      title={anew ? t('newTitle') : t('title')}
      text={anew ? t('newText') : t('text')}
      submit={anew ? t('save') : t('confirm')}
      below={another}
    >
      <div className="account__part">
        <PasswordField
          {...form.field(name)}
          key={name}
          label={anew ? t('newPassword') : t('password')}
          shown={shown}
          autoComplete={anew ? 'new-password' : 'current-password'}
          hint={anew ? also.passwordHint : undefined}
        />
        <Checkbox
          label={also.showPassword}
          checked={shown}
          onChange={(event) => setShown(event.target.checked)}
        />
      </div>
    </AccountForm>
  );
}
