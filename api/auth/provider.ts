import * as oidc from 'openid-client';
import type { Language } from '../../locales/languages.ts';
import { cleanLine } from '../core/clean.ts';
import { email as emailRule } from '../core/email.ts';
import { Refusal } from '../core/errors.ts';

type ProviderOptions = {
  /** Where the provider describes itself: `<issuer>/.well-known/openid-configuration`. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Another way to reach it than the network: the demo's own provider is in this process. */
  fetch?: typeof fetch;
};

/** What a sign-in must bring back to this browser, and nobody else can know. */
export type Challenge = { state: string; nonce: string; verifier: string };
/** Who somebody is, as the provider has signed it. `subject` is theirs for ever; the address is one that the provider has proven. */
export type Identity = { subject: string; email: string; name: string };

/** How long a provider may take for an answer, in seconds: three of them must fit into the deadline of a request. */
const patience = 4;
const hourMs = 3_600_000;

export type SignInProvider = ReturnType<typeof createProvider>;

/**
 * Sign-in with an OpenID Connect provider (decision 044): authorization code with PKCE. An ID token is required, and its signature, issuer,
 * audience, age and nonce are checked. What the provider says about itself is asked for when it is needed, so that one that was away at the
 * start costs one try and not the button. No token leaves this file.
 */
export function createProvider({ issuer, clientId, clientSecret, fetch: reach }: ProviderOptions) {
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
    /** The provider's page for a new sign-in. Refuses `auth.providerAway`. */
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
        // Several people share one phone: each time they say who they are.
        prompt: 'select_account',
        ui_locales: language,
      });
      return { url: url.href, challenge };
    },
    /**
     * Who came back. Refuses `auth.providerDenied`, `auth.providerAway`, `auth.providerUnproven` for an address that the provider has not
     * proven, and `auth.providerFailed` for everything that cannot be trusted: another state or nonce, a code that was used, a token that is
     * missing, forged, too old, of another issuer or for another audience.
     * @param address the address that the browser came to, with its query
     */
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
    // An answer in another form than agreed is a failing server's, or a proxy's page in front of it; unless it is a refusal.
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
  // Whatever `fetch` itself throws: no name, no route, no answer.
  return 'auth.providerAway';
}
