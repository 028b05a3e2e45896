import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import type { Configuration, interactionPolicy, Provider } from 'oidc-provider';
import type { DemoPerson, DemoProvider } from '../core/demoPorts.ts';

/** `proven` is the `email_verified` claim, which Google sets to true. */

const folder = '/demo/oidc';
const minutes = 60;

type Parts = {
  publicUrl: string;
  client: { clientId: string; clientSecret: string };
  people: ReadonlyMap<string, DemoPerson>;
  policy: interactionPolicy.DefaultPolicy;
  key: JWK;
};

const configuration = ({ publicUrl, client, people, policy, key }: Parts): Configuration => ({
  clients: [
    {
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uris: [`${publicUrl}/api/auth/callback/google`],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  jwks: { keys: [{ ...key, alg: 'RS256', use: 'sig' }] },
  cookies: {
    keys: [randomBytes(32).toString('base64url')],
    names: {
      session: 'demo_oidc_session',
      interaction: 'demo_oidc_interaction',
      resume: 'demo_oidc_resume',
    },
    long: { path: folder },
  },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  // Puts all claims into the ID token, as Google does.
  conformIdTokenClaims: false,
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  ttl: {
    Interaction: 10 * minutes,
    Session: 10 * minutes,
    Grant: 10 * minutes,
    AuthorizationCode: minutes,
    AccessToken: minutes,
    IdToken: 5 * minutes,
  },
  interactions: {
    policy,
    url: (_, { uid, params }) =>
      `${params.ui_locales === 'fr' ? '/fr' : '/en'}/demo/sign-in?uid=${uid}`,
  },
  findAccount: (_, subject) => {
    const person = people.get(subject);
    return (
      person && {
        accountId: subject,
        claims: () => ({
          sub: subject,
          email: person.email,
          email_verified: person.proven,
          name: person.name,
        }),
      }
    );
  },
  renderError: (c) => c.redirect('/sign-in?google=failed'),
  // Choosing a person counts as consent.
  async loadExistingGrant({ oidc: { provider, client, session } }) {
    const grant = new provider.Grant({
      clientId: client?.clientId ?? '',
      accountId: session?.accountId ?? '',
    });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});

/**
 * The demo's OpenID Connect provider (decision 006), so the Google button works offline. It starts
 * on the first request and listens on a random local port behind the market's route.
 */
export function createDemoProvider(publicUrl: string): DemoProvider {
  const issuer = `${publicUrl}${folder}`;
  const client = { clientId: 'marche54-demo', clientSecret: randomBytes(24).toString('base64url') };
  const people = new Map<string, DemoPerson>();
  let running: Promise<{ provider: Provider; server: Server }> | undefined;

  async function start() {
    // Loaded lazily: only the demo needs it.
    const [{ default: OpenIdProvider, interactionPolicy }, { exportJWK, generateKeyPair }] =
      await Promise.all([import('oidc-provider'), import('jose')]);
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const policy = interactionPolicy.base();
    policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
    const provider = new OpenIdProvider(
      issuer,
      configuration({ publicUrl, client, people, policy, key: await exportJWK(privateKey) }),
    );
    provider.proxy = true;
    const answer = provider.callback();
    const server = createServer((request: IncomingMessage & { originalUrl?: string }, response) => {
      request.originalUrl = request.url ?? '';
      request.url = request.originalUrl.slice(folder.length);
      void answer(request, response);
    });
    await new Promise<void>((ready, failed) =>
      server.once('error', failed).listen(0, '127.0.0.1', ready),
    );
    server.on('error', () => {});
    server.unref();
    return { provider, server };
  }
  const started = () => {
    running ??= start();
    return running;
  };

  /** Forwards a request as if it had come to the market's address. */
  async function reach(input: string | URL, init: RequestInit = {}): Promise<Response> {
    const { server } = await started();
    const asked = new URL(input);
    const { host, protocol } = new URL(publicUrl);
    const headers = new Headers(init.headers);
    // Drops the provider's session: several people try the demo in one browser.
    headers.set(
      'cookie',
      (headers.get('cookie') ?? '').replaceAll(/demo_oidc_session[^;]*;?/g, ''),
    );
    headers.set('x-forwarded-host', host);
    headers.set('x-forwarded-proto', protocol.slice(0, -1));
    const { port } = server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}${asked.pathname}${asked.search}`, {
      ...init,
      headers,
      redirect: 'manual',
    });
  }

  return {
    issuer,
    ...client,
    fetch: reach as typeof fetch,
    /** Null cancels. Returns the next URL; undefined if the sign-in expired. */
    async choose(uid: string, person: DemoPerson | null): Promise<string | undefined> {
      const { provider } = await started();
      const interaction = await provider.Interaction.find(uid);
      if (!interaction) return undefined;
      if (person) {
        const subject = createHash('sha256').update(person.email).digest('hex').slice(0, 21);
        people.set(subject, person);
        interaction.result = { select_account: {}, login: { accountId: subject } };
      } else interaction.result = { error: 'access_denied' };
      await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
      return interaction.returnTo;
    },
    async close(): Promise<void> {
      (await running)?.server.close();
    },
  };
}
