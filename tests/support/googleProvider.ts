import {
  type MutableRedirectUri,
  type MutableResponse,
  type MutableToken,
  OAuth2Server,
} from 'oauth2-mock-server';

/** Changes to a provider's answers, for one sign-in. */
export type Bend = {
  redirect?: (uri: URL) => void;
  token?: (token: MutableToken) => void;
  answer?: (response: MutableResponse) => void;
};

export type Somebody = { sub: string; email?: string; email_verified?: unknown; name?: string };

/** Fakes Google with real discovery, real signed tokens, and answers that a test can bend. */
export async function googleProvider() {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, 'localhost');
  const port = server.address().port;
  let somebody: Somebody = { sub: 'nobody' };
  let bend: Bend = {};
  server.service.on('beforeAuthorizeRedirect', ({ url }: MutableRedirectUri) =>
    bend.redirect?.(url),
  );
  server.service.on('beforeTokenSigning', (token: MutableToken) => {
    Object.assign(token.payload, somebody);
    bend.token?.(token);
  });
  server.service.on('beforeResponse', (response: MutableResponse) => bend.answer?.(response));
  return {
    env: {
      GOOGLE_CLIENT_ID: 'market',
      GOOGLE_CLIENT_SECRET: 'a secret between two',
      GOOGLE_ISSUER: `http://localhost:${port}`,
    },
    issuer: server.issuer,
    is(who: Somebody, how: Bend = {}): void {
      somebody = who;
      bend = how;
    },
    /** Follows the market's link through the provider; returns the address of the redirect back. */
    async pass(to: string): Promise<string> {
      const response = await fetch(to, { redirect: 'manual' });
      return response.headers.get('location') ?? '';
    },
    stop: () => server.stop(),
    restart: () => server.start(port, 'localhost'),
  };
}
