import { useEffect, useRef, useState } from 'react';
import { homes } from '../../../../api/auth/rules.ts';
import { ownPath } from '../../../../api/shared/ownPath.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { unprefixed } from '../../lib/paths.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { AccountState } from './AccountForm.tsx';
import { type Claim, ClaimForm } from './ClaimForm.tsx';
import { linkToken } from './linkToken.ts';
import { ResendEmail } from './ResendEmail.tsx';
import { waitingEmail } from './remembered.ts';

export type VerifyEmailProps = {
  language: Language;
  /** State of the page's address. Only the script reads the token; the page never contains it. */
  arrived: 'with-token' | 'denied' | 'plain';
  signedIn: boolean;
  links: { auth: string; dashboard: string; account: string };
  /** Path for signed-in users, until the link supplies the sign-up's. */
  next: string;
  words: Dictionaries['seller']['verification'];
  onward: Dictionaries['members']['onward'];
  created: Pick<Dictionaries['seller']['auth'], 'createdTitle' | 'createdText'>;
  validation: Dictionaries['validation'];
  also: {
    connection: string;
    retry: string;
    passwordHint: string;
    showPassword: string;
    profileFailed: string;
    profileFailedText: string;
    signIn: string;
    /** Page title with `{{page}}`. */
    pageTitle: string;
  };
};

type State =
  | { kind: 'pending'; checking: boolean }
  | { kind: 'claim' }
  | { kind: 'success' }
  | { kind: 'expired'; used?: boolean; reason?: string }
  | { kind: 'error'; reason: string };

/** Milliseconds before the redirect (product §9). */
const redirectAfter = 2000;
const stale = new Set(['auth.linkExpired', 'auth.linkInvalid', 'auth.linkUsed']);
/** A used link counts as expired (product §2 has four states), with its own text. */
const over = ({ code, message }: ApiError): State => ({
  kind: 'expired',
  used: code === 'auth.linkUsed',
  reason: message,
});

/**
 * Verification in four states (product §2). This script uses the link, once; a mail scanner does
 * not.
 */
export default function VerifyEmail({
  language,
  arrived,
  signedIn,
  links,
  next,
  words,
  onward,
  created,
  validation,
  also,
}: VerifyEmailProps) {
  const t = clientTranslator(language, words);
  const [state, setState] = useState<State>(
    arrived === 'denied'
      ? { kind: 'expired' }
      : { kind: 'pending', checking: arrived === 'with-token' },
  );
  const [email, setEmail] = useState<string>();
  const [fresh, setFresh] = useState(false);
  const [wanted, setWanted] = useState(next);
  const started = useRef(false);

  const confirm = async (json: Claim) => {
    const answer = await unwrap(
      browserApi(language).auth['verify-email'].$post({ json }),
      also.connection,
    );
    waitingEmail.forget();
    // A token must not stay visible in the address or the history.
    window.history.replaceState(null, '', window.location.pathname);
    if (answer.profileFailed)
      leaveFlash({ tone: 'error', title: also.profileFailed, text: also.profileFailedText });
    setWanted(ownPath(answer.next, next));
    setState({ kind: 'success' });
  };

  const claim = (given: Claim) =>
    confirm(given).catch((error) => {
      if (error instanceof ApiError && stale.has(error.code)) return setState(over(error));
      throw error;
    });

  const check = async () => {
    setState({ kind: 'pending', checking: true });
    try {
      await confirm({ token: linkToken() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'auth.signUpPasswordNeeded') return setState({ kind: 'claim' });
      const old =
        stale.has(error.code) || (error.status > 0 && /expired|invalid/i.test(error.message));
      setState(old ? over(error) : { kind: 'error', reason: error.message });
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    // Do not override an address that is being typed.
    const typing = [...document.querySelectorAll<HTMLInputElement>('.resend input')].some(
      ({ value }) => value !== '',
    );
    if (!typing) setEmail(waitingEmail.get() ?? undefined);
    setFresh(waitingEmail.created());
    if (arrived !== 'with-token' || started.current) return;
    started.current = true;
    void check();
  }, []);

  // Home is in this page's language; another wanted page keeps its own.
  const home: Record<string, { text: string; action: string; href: string }> = {
    [homes.seller]: { ...words.success, href: links.dashboard },
    [homes.member]: { ...onward.account, href: links.account },
  };
  const goOn = home[unprefixed(wanted).path] ?? { ...onward.back, href: wanted };

  useEffect(() => {
    if (state.kind !== 'success') return;
    const timer = setTimeout(() => window.location.replace(goOn.href), redirectAfter);
    return () => clearTimeout(timer);
  }, [state.kind, goOn.href]);

  const { kind } = state;
  const used = kind === 'expired' && state.used === true;
  useEffect(() => {
    if (used)
      document.title = clientTranslator(language, { title: also.pageTitle })('title', {
        page: words.used.title,
      });
  }, [used, language, also.pageTitle, words.used.title]);
  if (kind === 'claim')
    return <ClaimForm {...{ language, also, validation }} words={words.claim} confirm={claim} />;
  const checking = kind === 'pending' && state.checking;
  const reason = kind === 'expired' || kind === 'error' ? state.reason : undefined;
  const title =
    kind === 'pending' && fresh && email && !checking
      ? created.createdTitle
      : t(used ? 'used.title' : `${kind}.title`);
  const text = () => {
    if (kind === 'success') return goOn.text;
    if (kind !== 'pending') return t(used ? 'used.text' : `${kind}.text`);
    if (checking) return t('pending.checking');
    if (!email) return t('pending.textNoEmail');
    return fresh
      ? clientTranslator(language, created)('createdText', { email })
      : t('pending.text', { email });
  };

  return (
    <AccountState
      kind={kind}
      picture={checking ? <Spinner /> : used && <Icon name="check" />}
      title={checking ? t('pending.checking') : title}
      focus={kind === 'pending' ? undefined : kind}
      news={
        !checking && (
          <>
            {reason && !used && <p>{reason}</p>}
            {(used || !(reason && kind === 'expired')) && <p className="soft">{text()}</p>}
          </>
        )
      }
    >
      {kind === 'success' && (
        <ButtonLink variant="primary" wide href={goOn.href}>
          {goOn.action}
        </ButtonLink>
      )}
      {used && (
        <ButtonLink variant="primary" wide href={signedIn ? goOn.href : links.auth}>
          {signedIn ? goOn.action : also.signIn}
        </ButtonLink>
      )}
      {kind === 'error' && arrived === 'with-token' && (
        <Button variant="primary" wide onClick={() => void check()}>
          <Icon name="refresh" />
          {also.retry}
        </Button>
      )}
      {kind !== 'success' && !used && !checking && (
        <>
          <ResendEmail
            language={language}
            email={email}
            label={t('email')}
            words={words}
            validation={validation}
            connection={also.connection}
            primary={kind === 'expired'}
          />
          {kind === 'pending' && <p className="soft small">{t('pending.spam')}</p>}
          {signedIn && (
            <ButtonLink wide href={goOn.href}>
              {goOn.action}
            </ButtonLink>
          )}
          <ButtonLink variant="bare" wide href={links.auth}>
            <Icon name="left" />
            {t('back')}
          </ButtonLink>
        </>
      )}
    </AccountState>
  );
}
