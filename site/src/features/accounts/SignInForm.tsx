import { type MouseEvent, useState } from 'react';
import type * as z from 'zod/mini';
import { adminSignIn, sellerSignIn, sellerSignUp } from '../../../../api/auth/schema.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { tellSessionChange } from '../../lib/session.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { leaving, useForm } from '../forms/useForm.ts';
import { AccountForm } from './AccountForm.tsx';
import { CodeField } from './CodeField.tsx';
import { EmailField, LocationField, NameField, PasswordField, WhatsappField } from './fields.tsx';
import { OfferLink } from './OfferLink.tsx';
import { ResendEmail } from './ResendEmail.tsx';
import { waitingEmail } from './remembered.ts';
import type { SignInWords } from './words.ts';

type Mode = 'sign-in' | 'sign-up';
type Given = { email: string; password: string; code?: string | undefined; name?: string; whatsapp?: string; location?: string };

export type SignInFormProps = {
  language: Language;
  mode: Mode;
  /** Where to go once signed in: a path of this site. */
  next: string;
  /** Says why the form stands here, or that the reader has just signed out. */
  note?: { tone: 'info' | 'good'; text: string } | undefined;
  links: { auth: string; forgot?: string; verification?: string };
  words: SignInWords;
  validation: Dictionaries['validation'];
};

/**
 * The door of both sides (product §2 /seller/auth, /admin/auth). Sellers also create their account in it, and what was typed is kept when
 * they change their mind. Admins are asked for the code of their second factor; registration only says that there is none.
 */
export default function SignInForm({ language, mode: first, next, note, links, words, validation }: SignInFormProps) {
  const { seller, admin, connection } = words;
  const [mode, setMode] = useState(first);
  const [shown, setShown] = useState(false);
  // The password was right, and the account has a second factor: what was typed stays in the form and is sent again with the code.
  const [asksCode, setAsksCode] = useState(false);
  const signingUp = mode === 'sign-up';

  const enter = () => {
    leaveFlash({ tone: 'success', title: words.welcome });
    tellSessionChange();
    waitingEmail.forget();
    window.location.assign(next);
    return leaving;
  };
  const signIn = async ({ email, password, code }: Given) => {
    const { auth } = browserApi(language);
    const json = { email, password };
    await (admin ? unwrap(auth.admin['sign-in'].$post({ json: { ...json, code } }), connection) : unwrap(auth['sign-in'].$post({ json }), connection));
    return enter();
  };
  const signUp = async ({ email, password, name = '', whatsapp = '', location = '' }: Given) => {
    const answer = await unwrap(browserApi(language).auth['sign-up'].$post({ json: { email, password, name, whatsapp, location } }), connection);
    if (answer.next === 'verify') {
      leaveFlash({ tone: 'success', title: seller?.createdToast ?? '' });
      waitingEmail.remember(email, true);
      window.location.assign(links.verification ?? next);
      return leaving;
    }
    // The address has an account, and this is its password: the same as signing in.
    if (seller && answer.profileFailed) leaveFlash({ tone: 'error', title: seller.profileFailed, text: seller.profileFailedText });
    return enter();
  };
  const schema: z.ZodMiniType<unknown, Given> = signingUp ? sellerSignUp : admin ? adminSignIn : sellerSignIn;
  const form = useForm({
    language,
    validation,
    schema,
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
    href: to === 'sign-up' ? `${links.auth}?mode=sign-up` : links.auth,
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
  };
  const remedy = (code: string, { email }: Given) => {
    if (code === 'auth.emailNotVerified' && seller) return <ResendEmail {...{ language, email, validation, connection }} words={seller.resend} />;
    if (code === 'auth.tooManyAttempts' && !asksCode) return <OfferLink {...{ language, email, connection }} words={words.offer} />;
    return null;
  };
  return (
    <AccountForm
      form={form}
      top={
        seller && (
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
      title={signingUp ? words.signUpTitle : asksCode && admin ? admin.codeTitle : words.signInTitle}
      text={signingUp ? seller?.signUpText : seller?.signInText}
      note={!refused && (notes.closed || notes.code || notes.page)}
      refusedTitle={seller?.failed}
      remedy={refused && remedy(refused.code, refused.values)}
      hidden={signingUp && !seller}
      submit={signingUp && seller ? seller.signUp : words.signIn}
      submitting={signingUp && seller ? seller.signingUp : words.signingIn}
      below={
        asksCode && admin ? (
          <Button variant="bare" wide onClick={startOver}>
            {admin.codeBack}
          </Button>
        ) : (
          <ButtonLink variant="bare" wide {...linkTo(signingUp ? 'sign-in' : 'sign-up')}>
            {signingUp ? words.toSignIn : words.toSignUp}
          </ButtonLink>
        )
      }
    >
      {/* What is hidden stays in the page, and keeps what was typed. */}
      {seller && (
        <div className="account__part" hidden={!signingUp}>
          <NameField {...form.field('name')} label={seller.name} placeholder={seller.namePlaceholder} />
        </div>
      )}
      <div className="account__form" hidden={asksCode}>
        <EmailField {...form.field('email')} label={words.email} autoComplete={admin ? 'username' : 'email'} placeholder={words.emailPlaceholder} />
        <div className="account__part">
          <PasswordField
            {...form.field('password')}
            label={words.password}
            shown={shown}
            autoComplete={signingUp ? 'new-password' : 'current-password'}
            hint={admin || signingUp ? words.passwordHint : undefined}
          />
          {seller && (
            <div className="account__under">
              <Checkbox label={seller.showPassword} checked={shown} onChange={(event) => setShown(event.target.checked)} />
              {!signingUp && <a href={links.forgot}>{seller.forgot}</a>}
            </div>
          )}
        </div>
      </div>
      {asksCode && admin && <CodeField {...form.field('code')} label={admin.code} hint={admin.codeHint} />}
      {seller && (
        <div className="account__part" hidden={!signingUp}>
          <WhatsappField {...form.field('whatsapp')} label={seller.whatsapp} placeholder={seller.whatsappPlaceholder} hint={seller.whatsappHint} />
          <LocationField {...form.field('location')} label={seller.location} placeholder={seller.locationPlaceholder} />
        </div>
      )}
    </AccountForm>
  );
}
