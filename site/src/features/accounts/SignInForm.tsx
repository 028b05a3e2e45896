import { type MouseEvent, useEffect, useState } from 'react';
import type * as z from 'zod/mini';
import { adminSignIn, sellerSignIn, signUp as signUpSchema } from '../../../../api/auth/schema.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { PlaceField } from '../../ui/PlaceField.tsx';
import { leaving, useForm } from '../forms/useForm.ts';
import { AccountForm } from './AccountForm.tsx';
import { CodeField } from './CodeField.tsx';
import { EmailField, NameField, PasswordField, WhatsappField } from './fields.tsx';
import { OfferLink } from './OfferLink.tsx';
import { ResendEmail } from './ResendEmail.tsx';
import { waitingEmail } from './remembered.ts';
import type { SignInWords } from './words.ts';

type Mode = 'sign-in' | 'sign-up';
type Given = {
  email: string;
  password: string;
  code?: string | undefined;
  name?: string;
  whatsapp?: string;
  location?: string;
  selling?: boolean;
  agreed?: string;
  next?: string;
  questionToken?: string | undefined;
  answer?: string | undefined;
};

export type SignInFormProps = {
  language: Language;
  mode: Mode;
  /** Path on this site after sign-in. */
  next: string;
  /** Reason for the form, or confirmation of a sign-out. */
  note?: { tone: 'info' | 'good' | 'bad'; text: string } | undefined;
  links: { auth: string; other?: string; forgot?: string; verification?: string };
  google?: { href: string; label: string; or: string } | undefined;
  /** Of the terms. */
  version?: string;
  words: SignInWords;
  validation: Dictionaries['validation'];
};

const inMode = (door: string) => `${door}${door.includes('?') ? '&' : '?'}mode=sign-up`;

/**
 * Sign-in form of sellers, members and admins (product §2 /seller/auth, /sign-in, /admin/auth).
 * Sellers and members may switch to sign-up and keep their input; admins have a second factor and
 * no registration.
 */
export default function SignInForm({
  language,
  mode: first,
  next,
  note,
  links,
  google,
  version = '0',
  words,
  validation,
}: SignInFormProps) {
  const { account, selling, admin, connection } = words;
  const [mode, setMode] = useState(first);
  const [shown, setShown] = useState(false);
  // Password correct, second factor needed: the values stay in the form and are sent again with the
  // code.
  const [asksCode, setAsksCode] = useState(false);
  const [keepsCookies, setKeepsCookies] = useState(true);
  useEffect(() => setKeepsCookies(navigator.cookieEnabled), []);
  const signingUp = mode === 'sign-up';

  const enter = () => {
    leaveFlash({ tone: 'success', title: words.welcome });
    waitingEmail.forget();
    window.location.assign(next);
    return leaving;
  };
  const signIn = async ({ email, password, code, questionToken, answer }: Given) => {
    const { auth } = browserApi(language);
    const json = { email, password, questionToken, answer };
    await (admin
      ? unwrap(auth.admin['sign-in'].$post({ json: { ...json, code } }), connection)
      : unwrap(auth['sign-in'].$post({ json }), connection));
    return enter();
  };
  const signUp = async ({ name = '', agreed = '', code: _, ...given }: Given) => {
    const answer = await unwrap(
      browserApi(language).auth['sign-up'].$post({ json: { ...given, name, agreed } }),
      connection,
    );
    const { email } = given;
    if (answer.waits) {
      leaveFlash({ tone: 'success', title: account?.createdToast ?? '' });
      waitingEmail.remember(email, true);
      window.location.assign(links.verification ?? next);
      return leaving;
    }
    // The address has an account with this password: sign-up signs in.
    if (selling && answer.profileFailed)
      leaveFlash({ tone: 'error', title: selling.profileFailed, text: selling.profileFailedText });
    return enter();
  };
  const schema: z.ZodMiniType<unknown, Given> = signingUp
    ? signUpSchema
    : admin
      ? adminSignIn
      : sellerSignIn;
  const form = useForm({
    language,
    validation,
    schema,
    also: () => (signingUp ? { selling: selling !== undefined, next } : {}),
    send: (given) => (signingUp ? signUp(given) : signIn(given)),
    onRefused: ({ code }) => {
      if (!admin || code !== 'auth.codeNeeded') return false;
      setAsksCode(true);
      return true;
    },
  });
  const { refused, busy } = form;

  const change = (to: Mode) => {
    setMode(to);
    form.clear();
    const address = new URL(window.location.href);
    if (to === 'sign-up') address.searchParams.set('mode', to);
    else address.searchParams.delete('mode');
    window.history.replaceState(null, '', address);
  };
  const linkTo = (to: Mode) => ({
    href: to === 'sign-up' ? inMode(links.auth) : links.auth,
    onClick: (event: MouseEvent) => {
      event.preventDefault();
      if (!busy) change(to);
    },
  });
  const startOver = () => {
    if (busy) return;
    form.ref.current?.reset();
    setAsksCode(false);
    form.clear();
  };

  const notes = {
    closed: admin && signingUp && <Note tone="wait">{admin.restricted}</Note>,
    code: asksCode && <Note>{admin?.codeText}</Note>,
    page: note && <Note tone={note.tone}>{note.text}</Note>,
    cookies: !keepsCookies && <Note tone="bad">{words.noCookies}</Note>,
  };
  const remedy = (code: string, { email }: Given) => {
    if (code === 'auth.emailNotVerified' && account)
      return (
        <ResendEmail {...{ language, email, validation, connection }} words={account.resend} />
      );
    if ((code === 'auth.tooManyAttempts' || form.asked?.link) && !asksCode)
      return (
        <OfferLink {...{ language, email, next, validation, connection }} words={words.offer} />
      );
    return null;
  };
  return (
    <AccountForm
      form={form}
      top={
        account && (
          <nav className="account__modes" aria-label={`${words.signInTitle}, ${words.signUpTitle}`}>
            <a {...linkTo('sign-in')} aria-current={signingUp ? undefined : 'true'}>
              {words.signInTitle}
            </a>
            <a {...linkTo('sign-up')} aria-current={signingUp ? 'true' : undefined}>
              {words.signUpTitle}
            </a>
          </nav>
        )
      }
      title={
        signingUp ? words.signUpTitle : asksCode && admin ? admin.codeTitle : words.signInTitle
      }
      text={signingUp ? account?.signUpText : account?.signInText}
      note={notes.cookies || (!refused && (notes.closed || notes.code || notes.page))}
      refusedTitle={account?.failed}
      remedy={refused && remedy(refused.code, refused.values)}
      hidden={signingUp && !account}
      submit={signingUp && account ? account.signUp : words.signIn}
      submitting={signingUp && account ? account.signingUp : words.signingIn}
      below={
        asksCode && admin ? (
          <Button variant="bare" wide onClick={startOver}>
            {admin.codeBack}
          </Button>
        ) : (
          <>
            <ButtonLink variant="bare" wide {...linkTo(signingUp ? 'sign-in' : 'sign-up')}>
              {signingUp ? words.toSignIn : words.toSignUp}
            </ButtonLink>
            {account && links.other && (
              <p className="account__other">
                {account.otherAsk}{' '}
                <a href={signingUp ? inMode(links.other) : links.other}>{account.other}</a>
              </p>
            )}
          </>
        )
      }
    >
      {google && (
        <div className="account__ways">
          <ButtonLink wide href={google.href}>
            {google.label}
          </ButtonLink>
          <p className="account__or">{google.or}</p>
        </div>
      )}
      {/* Hidden parts keep their values. */}
      {account && (
        <div className="account__part" hidden={!signingUp}>
          <NameField
            {...form.field('name')}
            label={account.name}
            placeholder={account.namePlaceholder}
          />
        </div>
      )}
      <div className="account__form" hidden={asksCode}>
        <EmailField
          {...form.field('email')}
          label={words.email}
          autoComplete={admin ? 'username' : 'email'}
          placeholder={words.emailPlaceholder}
        />
        <div className="account__part">
          <PasswordField
            {...form.field('password')}
            label={words.password}
            shown={shown}
            autoComplete={signingUp ? 'new-password' : 'current-password'}
            hint={admin || signingUp ? words.passwordHint : undefined}
          />
          {account && (
            <div className="account__under">
              <Checkbox
                label={account.showPassword}
                checked={shown}
                onChange={(event) => setShown(event.target.checked)}
              />
              {!signingUp && <a href={links.forgot}>{account.forgot}</a>}
            </div>
          )}
        </div>
      </div>
      {asksCode && admin && (
        <CodeField {...form.field('code')} label={admin.code} hint={admin.codeHint} />
      )}
      {selling && (
        <div className="account__part" hidden={!signingUp}>
          <WhatsappField
            {...form.field('whatsapp')}
            label={selling.whatsapp}
            placeholder={selling.whatsappPlaceholder}
            hint={selling.whatsappHint}
          />
          <PlaceField
            {...form.field('location')}
            {...{ language, place: selling.place }}
            label={selling.location}
            placeholder={selling.locationPlaceholder}
          />
        </div>
      )}
      {account && (
        <div className="account__part" hidden={!signingUp}>
          <Agree
            {...{ language, version }}
            words={account.agreement}
            field={form.field('agreed')}
          />
        </div>
      )}
    </AccountForm>
  );
}

/** Agreement to the version that the page shows. */
function Agree({
  words,
  language,
  version,
  field,
}: {
  words: NonNullable<SignInWords['account']>['agreement'];
  language: Language;
  version: string;
  field: { name: string; error?: string | undefined };
}) {
  const label = (
    <>
      {words.before} <a href={`/${language}/terms`}>{words.terms}</a> {words.and}{' '}
      <a href={`/${language}/privacy`}>{words.privacy}</a>.
    </>
  );
  return <Checkbox name={field.name} value={version} label={label} error={field.error} />;
}
