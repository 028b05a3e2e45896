import * as oidc from 'openid-client';
import type { Language } from '../../../locales/languages.ts';
import type { Challenge, Identity, SignInProvider } from '../../core/ports.ts';
import { cleanLine } from '../../shared/clean.ts';
import { email as emailRule } from '../../shared/email.ts';
import { Refusal } from '../../shared/errors.ts';

type ProviderOptions = {
  /** Its metadata is at `<issuer>/.well-known/openid-configuration`. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The demo's own provider runs in this process. */
  fetch?: typeof fetch;
};

/** Seconds per answer: three must fit into a request's deadline. */
const patience = 4;
const hourMs = 3_600_000;

/**
 * OpenID Connect provider (decision 006): authorization code with PKCE, an ID token whose signature
 * is checked. Metadata is read on use, so that an outage at start does not disable the button. No
 * token leaves this file.
 */
export function createProvider({
  issuer,
  clientId,
  clientSecret,
  fetch: reach,
}: ProviderOptions): SignInProvider {
  let known: { at: number; configuration: Promise<oidc.Configuration> } | undefined;

  function configuration(): Promise<oidc.Configuration> {
    if (known && performance.now() - known.at < hourMs) return known.configuration;
    const asked = oidc.discovery(
      new URL(issuer),
      clientId,
      undefined,
      oidc.ClientSecretPost(clientSecret),
      {
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
        ],
        timeout: patience,
        ...(reach ? { [oidc.customFetch]: reach as oidc.CustomFetch } : {}),
      },
    );
    known = { at: performance.now(), configuration: asked };
    asked.catch(() => {
      known = undefined;
    });
    return asked;
  }

  return {
    async begin(
      redirectUri: string,
      language: Language,
    ): Promise<{ url: string; challenge: Challenge }> {
      const challenge = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await configuration().catch(translated), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: challenge.state,
        nonce: challenge.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(challenge.verifier),
        code_challenge_method: 'S256',
        // People share phones: ask for the account each time.
        prompt: 'select_account',
        ui_locales: language,
      });
      return { url: url.href, challenge };
    },
    async finish(address: URL, { state, nonce, verifier }: Challenge): Promise<Identity> {
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      };
      const answer = await configuration()
        .then((of) => oidc.authorizationCodeGrant(of, address, checks))
        .catch(translated);
      const claims = answer.claims();
      if (!claims) throw new Refusal('auth.providerFailed');
      const { sub, email, email_verified: proven, name } = claims;
      if (typeof email !== 'string' || proven !== true) throw new Refusal('auth.providerUnproven');
      const read = emailRule.safeParse(email);
      if (!read.success) throw new Refusal('auth.providerFailed');
      return {
        subject: sub,
        email: read.data,
        name: [...cleanLine(typeof name === 'string' ? name : '')].slice(0, 100).join(''),
      };
    },
  };
}

function translated(error: unknown): never {
  throw new Refusal(codeOf(error), {}, [], { cause: error });
}

function codeOf(
  error: unknown,
): 'auth.providerDenied' | 'auth.providerAway' | 'auth.providerFailed' {
  if (error instanceof oidc.AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'auth.providerDenied';
    return error.error === 'server_error' || error.error === 'temporarily_unavailable'
      ? 'auth.providerAway'
      : 'auth.providerFailed';
  }
  if (error instanceof oidc.ResponseBodyError)
    return error.status >= 500 ? 'auth.providerAway' : 'auth.providerFailed';
  if (error instanceof oidc.ClientError) {
    // A malformed answer comes from a failing server or its proxy, unless it is a 4xx.
    const unanswered = [
      'OAUTH_TIMEOUT',
      'OAUTH_ABORT',
      'OAUTH_RESPONSE_IS_NOT_JSON',
      'OAUTH_RESPONSE_IS_NOT_CONFORM',
    ].includes(error.code ?? '');
    const refused =
      error.cause instanceof Response && error.cause.status >= 400 && error.cause.status < 500;
    return unanswered && !refused ? 'auth.providerAway' : 'auth.providerFailed';
  }
  // Thrown by `fetch` itself: the provider cannot be reached.
  return 'auth.providerAway';
}
