import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';

/** The demo's own provider simplifies nothing but the choice of a person (decision 006). */
const market = await testApp({ env: { DEMO: '1', PUBLIC_URL: 'http://demo.test' } });
beforeEach(() => market.reset({ accounts: true }));

/** One visitor's browser: each step returns the next address. */
function browser() {
  const jar = new Jar();
  const step = async (path: string, form?: Record<string, string>) => {
    const response = await market.request(path, { as: { jar }, ...(form ? { form } : {}) });
    return {
      status: response.status,
      to: new URL(response.headers.get('location') ?? '/nowhere', market.env.publicUrl),
    };
  };
  return {
    jar,
    step,
    /**
     * Goes from the button to the page that asks for a person; its address contains the sign-in's
     * uid.
     */
    async choose(query = '') {
      const button = await step(`/api/auth/google?${query}`);
      expect(button.to.href).toMatch(/^http:\/\/demo\.test\/demo\/oidc\/auth\?/);
      return (await step(button.to.pathname + button.to.search)).to;
    },
    /** Chooses a person and follows to the final page. */
    async be(page: URL, person: Record<string, string>) {
      const chosen = await step('/demo/sign-in', {
        uid: page.searchParams.get('uid') ?? '',
        ...person,
      });
      const back = await step(chosen.to.pathname);
      const end = await step(back.to.pathname + back.to.search);
      return end.to.pathname + end.to.search;
    },
  };
}
const me = async (jar: Jar) =>
  (await market.call<{ role: string; email: string | null }>('/api/auth/me', { as: { jar } })).body;
const amina = { email: 'Amina@example.test', name: 'Amina', proven: 'yes' };

describe('the sign-in provider of the demo', () => {
  test('describes itself under the market’s own address, and signs with a key that it publishes', async () => {
    const about = await market.call<Record<string, string>>(
      '/demo/oidc/.well-known/openid-configuration',
    );
    expect(about.body).toMatchObject({
      issuer: 'http://demo.test/demo/oidc',
      jwks_uri: 'http://demo.test/demo/oidc/jwks',
    });
    const { body } = await market.call<{ keys: Record<string, string>[] }>('/demo/oidc/jwks');
    expect(body.keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256' });
    expect(body.keys[0]).not.toHaveProperty('d');
  });

  test('signs in whoever one chooses to be, and asks each time', async () => {
    const { jar, choose, be } = browser();
    const page = await choose('door=member&next=/how-it-works');
    expect(page.pathname).toBe('/en/demo/sign-in');
    expect(await be(page, amina)).toBe('/how-it-works');
    expect(await me(jar)).toMatchObject({ role: 'member', email: 'amina@example.test' });
    const again = await choose('door=member');
    await be(again, { ...amina, email: 'other@example.test' });
    expect((await me(jar)).email).toBe('other@example.test');
  });

  test('opens a seller’s account by the address, in French too', async () => {
    const seller = await signUpSeller(market, { email: 'seller@example.test' });
    const { body } = await market.call<{ seller: { email: string }; suspended: null }>(
      '/api/demo/people',
    );
    expect(body).toMatchObject({ seller: { email: seller.email }, suspended: null });
    const { jar, choose, be } = browser();
    const page = await choose('door=seller&language=fr');
    expect(page.pathname).toBe('/fr/demo/sign-in');
    expect(await be(page, { email: seller.email, name: seller.name, proven: 'yes' })).toBe(
      '/fr/seller/dashboard',
    );
    expect((await me(jar)).role).toBe('seller');
  });

  test('lets one say no, be somebody whose address is not proven, or come too late', async () => {
    const { jar, choose, be, step } = browser();
    expect(await be(await choose(), { cancel: 'yes' })).toBe('/sign-in?google=denied');
    expect(await be(await choose(), { email: amina.email, name: amina.name })).toBe(
      '/sign-in?google=unproven',
    );
    expect((await step('/demo/sign-in', { uid: 'made up', ...amina })).to.search).toBe(
      '?google=over',
    );
    expect((await me(jar)).role).toBe('visitor');
  });

  test('makes nobody an admin', async () => {
    const admin = await signInAdmin(market, { email: 'admin@example.test', password: 'secret' });
    const { jar, choose, step } = browser();
    const page = await choose();
    const be = {
      uid: page.searchParams.get('uid') ?? '',
      email: 'Admin@Example.test',
      name: 'Admin',
      proven: 'yes',
    };
    expect((await step('/demo/sign-in', be)).status).toBe(403);
    expect((await me(jar)).role).toBe('visitor');
    expect((await market.request('/demo/sign-in', { form: be, as: admin })).status).toBe(303);
  });

  /** White space for JavaScript or Postgres, before or after the address. */
  test.each([' ', '\t', '\n', '\u00a0', '\u2003', '\ufeff'])(
    'makes nobody an admin with white space %j around the address',
    async (space) => {
      await signInAdmin(market, { email: 'admin@example.test', password: 'secret' });
      for (const email of [`${space}admin@example.test`, `Admin@example.test${space}`]) {
        const { jar, choose, step } = browser();
        const uid = (await choose()).searchParams.get('uid') ?? '';
        expect(
          (await step('/demo/sign-in', { uid, email, name: 'Admin', proven: 'yes' })).status,
        ).toBe(403);
        expect((await me(jar)).role).toBe('visitor');
      }
    },
  );

  test('opens no session for an admin, and connects nothing to one, even where the choice let the address pass', async () => {
    const { accountId } = await signInAdmin(market, {
      email: 'admin@example.test',
      password: 'secret',
    }).then(({ userId }) => ({ accountId: userId }));
    const { jar, choose, step } = browser();
    const page = await choose();
    const uid = page.searchParams.get('uid') ?? '';
    const to = new URL(
      (await market.services.demoProvider?.choose(uid, {
        email: ' ADMIN@example.test',
        name: 'Admin',
        proven: true,
      })) ?? '',
    );
    const back = await step(to.pathname);
    const end = await step(back.to.pathname + back.to.search);
    expect(end.to.pathname + end.to.search).toBe('/sign-in?google=failed');
    expect((await me(jar)).role).toBe('visitor');
    const google = and(
      eq(schema.account.userId, accountId),
      eq(schema.account.providerId, 'google'),
    );
    expect(await market.db.$count(schema.account, google)).toBe(0);
  });

  test('takes an address as every other sign-in does, and refuses what is none', async () => {
    const { jar, choose, be, step } = browser();
    expect((await step('/demo/sign-in', { uid: 'x', email: 'no address', name: 'X' })).status).toBe(
      400,
    );
    expect(
      await be(await choose('next=/how-it-works'), {
        email: ' \u00a0Amina@Example.test\t',
        name: 'Amina',
        proven: 'yes',
      }),
    ).toBe('/how-it-works');
    expect((await me(jar)).email).toBe('amina@example.test');
  });

  test('takes no name that speaks for the market: the account has none until its owner chooses one', async () => {
    const { jar, choose, be } = browser();
    await be(await choose('next=/how-it-works'), {
      email: 'stranger@example.test',
      name: 'Marche 54 Support',
      proven: 'yes',
    });
    expect((await market.call<{ name: string }>('/api/auth/me', { as: { jar } })).body.name).toBe(
      '',
    );
  });

  test('gives nothing to a stranger: no code for another address, no token without the secret', async () => {
    const { choose, step } = browser();
    const page = await choose();
    expect(page.searchParams.has('uid')).toBe(true);
    const elsewhere = await step(
      '/demo/oidc/auth?client_id=marche54-demo&response_type=code&scope=openid&redirect_uri=https://evil.example/',
    );
    expect(elsewhere.to.href).toBe('http://demo.test/sign-in?google=failed');
    const token = await market.request('/demo/oidc/token', {
      form: {
        grant_type: 'authorization_code',
        client_id: 'marche54-demo',
        client_secret: 'guess',
        code: 'x',
      },
    });
    expect(token.status).toBe(401);
  });
});
