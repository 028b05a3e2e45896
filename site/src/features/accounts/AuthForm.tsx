import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { sellerSignIn, sellerSignUp } from '../../../../api/auth/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { type FieldErrors, focusFirstWrong, judge, typed, useReady } from '../../lib/form.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Checkbox, TextInput } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { OfferLink } from './OfferLink.tsx';
import { ResendEmail } from './ResendEmail.tsx';
import { waitingEmail } from './remembered.ts';

export type AuthMode = 'sign-in' | 'sign-up';

export type AuthFormProps = {
  language: Language;
  mode: AuthMode;
  /** Where to go once signed in: a path of this site. */
  next: string;
  /** Says why the form stands here: a page that needs a session sent the reader. */
  asked: boolean;
  links: { auth: string; forgot: string; verification: string };
  words: Dictionaries['seller']['auth'];
  resend: Pick<Dictionaries['seller']['verification'], 'resend' | 'resendIn' | 'sent' | 'resendFailed'>;
  offer: Pick<Dictionaries['seller']['signInLink'], 'offer' | 'send' | 'sent'>;
  validation: Dictionaries['validation'];
  also: { showPassword: string; connection: string; profileFailed: string; profileFailedText: string };
};

type Refused = { title: string; text: string; unverified?: string; keptOut?: string };

/** Sign in and create account in one form that keeps what was typed when the reader changes their mind (product §2 /seller/auth). */
export default function AuthForm({ language, mode: first, next, asked, links, words, resend, offer, validation, also }: AuthFormProps) {
  const t = clientTranslator(language, words);
  const ready = useReady();
  const form = useRef<HTMLFormElement>(null);
  const [mode, setMode] = useState(first);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refused, setRefused] = useState<Refused>();
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState(false);
  const signingUp = mode === 'sign-up';

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);

  const change = (to: AuthMode) => {
    setMode(to);
    setErrors({});
    setRefused(undefined);
    const address = new URL(window.location.href);
    if (to === 'sign-up') address.searchParams.set('mode', to);
    else address.searchParams.delete('mode');
    window.history.replaceState(null, '', address);
  };

  const tab = (to: AuthMode, label: string) => (
    <a
      href={to === 'sign-up' ? `${links.auth}?mode=sign-up` : links.auth}
      aria-current={mode === to ? 'true' : undefined}
      onClick={(event) => {
        event.preventDefault();
        if (!busy) change(to);
      }}
    >
      {label}
    </a>
  );

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const data = new FormData(event.currentTarget);
    const account = { email: typed(data, 'email'), password: typed(data, 'password') };
    const seller = { name: typed(data, 'name'), whatsapp: typed(data, 'whatsapp'), location: typed(data, 'location') };
    const judged = signingUp ? judge(sellerSignUp, { ...account, ...seller }, language, validation) : judge(sellerSignIn, account, language, validation);
    setRefused(undefined);
    if (!judged.ok) {
      setErrors(judged.errors);
      return;
    }
    setErrors({});
    setBusy(true);
    const api = browserApi(language);
    try {
      if (!signingUp) {
        await unwrap(api.auth['sign-in'].$post({ json: account }), also.connection);
        leaveFlash({ tone: 'success', title: t('welcomeBack') });
        waitingEmail.forget();
        window.location.assign(next);
        return;
      }
      const answer = await unwrap(api.auth['sign-up'].$post({ json: { ...account, ...seller } }), also.connection);
      leaveFlash({ tone: 'success', title: t('createdToast') });
      if (answer.profileFailed) leaveFlash({ tone: 'error', title: also.profileFailed, text: also.profileFailedText });
      if (answer.next === 'verify') waitingEmail.remember(account.email, true);
      window.location.assign(answer.next === 'verify' ? links.verification : next);
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError)) throw error;
      setErrors(error.fields);
      const more = { 'auth.emailNotVerified': { unverified: account.email }, 'auth.tooManyAttempts': { keptOut: account.email } }[error.code];
      setRefused({ title: t('failed'), text: error.message, ...more });
    }
  };

  return (
    <div className="account">
      <nav className="account__modes" aria-label={`${words.signInTitle}, ${words.signUpTitle}`}>
        {tab('sign-in', t('signInTitle'))}
        {tab('sign-up', t('signUpTitle'))}
      </nav>
      <div>
        <h1>{signingUp ? t('signUpTitle') : t('signInTitle')}</h1>
        <p className="soft">{signingUp ? t('signUpText') : t('signInText')}</p>
      </div>
      {asked && !refused && <Note>{t('required')}</Note>}
      <div role="alert">
        {refused && (
          <Note tone="bad" title={refused.title}>
            {refused.text}
            {refused.unverified && <ResendEmail language={language} email={refused.unverified} words={resend} connection={also.connection} />}
            {refused.keptOut && <OfferLink language={language} email={refused.keptOut} words={offer} connection={also.connection} />}
          </Note>
        )}
      </div>
      <form ref={form} className="account__form" method="post" noValidate onSubmit={submit}>
        {/* The optional fields stay in the page when hidden, and keep what was typed. */}
        <div className="account__part" hidden={!signingUp}>
          <TextInput
            label={t('name')}
            name="name"
            required
            autoComplete="name"
            maxLength={100}
            placeholder={t('namePlaceholder')}
            error={errors.name}
            readOnly={busy}
          />
        </div>
        <TextInput
          label={t('email')}
          name="email"
          type="email"
          inputMode="email"
          required
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={t('emailPlaceholder')}
          error={errors.email}
          readOnly={busy}
        />
        <div className="account__part">
          <TextInput
            label={t('password')}
            name="password"
            type={shown ? 'text' : 'password'}
            required
            autoComplete={signingUp ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            hint={signingUp ? t('passwordHint') : undefined}
            error={errors.password}
            readOnly={busy}
          />
          <div className="account__under">
            <Checkbox label={also.showPassword} checked={shown} onChange={(event) => setShown(event.target.checked)} />
            {!signingUp && <a href={links.forgot}>{t('forgot')}</a>}
          </div>
        </div>
        <div className="account__part" hidden={!signingUp}>
          <TextInput
            label={t('whatsapp')}
            name="whatsapp"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            placeholder={t('whatsappPlaceholder')}
            hint={t('whatsappHint')}
            error={errors.whatsapp}
            readOnly={busy}
          />
          <TextInput
            label={t('location')}
            name="location"
            autoComplete="off"
            maxLength={100}
            placeholder={t('locationPlaceholder')}
            error={errors.location}
            readOnly={busy}
          />
        </div>
        <Button type="submit" variant="primary" wide busy={busy} disabled={!ready}>
          {signingUp ? t('signUp') : t('signIn')}
        </Button>
        <span className="unseen" role="status">
          {busy && (signingUp ? t('signingUp') : t('signingIn'))}
        </span>
      </form>
      <ButtonLink
        variant="bare"
        wide
        href={signingUp ? links.auth : `${links.auth}?mode=sign-up`}
        onClick={(event) => {
          event.preventDefault();
          if (!busy) change(signingUp ? 'sign-in' : 'sign-up');
        }}
      >
        {signingUp ? t('toSignIn') : t('toSignUp')}
      </ButtonLink>
    </div>
  );
}
