import { beforeEach, describe, expect, test } from 'vitest';
import { actors, type Person } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';
import { live, submitted } from '../support/products.ts';

const market = await testApp();
const { member, seller, admin } = await actors(market);
beforeEach(() => market.reset());

type Phone = { jar: Jar };
const phone = (): Phone => ({ jar: new Jar() });
const code = ({ id }: { id: string }) => id.slice(0, 8);
const ask = (path: string, as: Phone, method = 'GET') =>
  market.call<{ codes: string[]; error: { code: string } }>(`/api/favourites${path}`, {
    method,
    as,
  });
const codes = async (as: Phone) => (await ask('', as)).body.codes;
const signIn = async (as: Phone, { email, password }: Person) => {
  const { status } = await market.call('/api/auth/sign-in', { json: { email, password }, as });
  expect(status).toBe(200);
};

describe('favourites over HTTP', () => {
  test('stay in the browser of a visitor, in a cookie that scripts read', async () => {
    const product = await live(market, seller, admin);
    const [one, other] = [phone(), phone()];
    const { headers } = await ask(`/${code(product)}`, one, 'PUT');
    const [cookie = ''] = headers.getSetCookie().filter((line) => line.startsWith('favourites='));
    expect(cookie).toContain(`favourites=${code(product)}; `);
    expect(cookie).toMatch(/Max-Age=31536000; Path=\/; .*SameSite=Lax/);
    expect(cookie).not.toMatch(/HttpOnly/i);
    expect(await codes(one)).toEqual([code(product)]);
    expect(await codes(other)).toEqual([]);
    await ask(`/${code(product)}`, one, 'DELETE');
    expect(one.jar.has('favourites')).toBe(false);
  });

  test('refuse what is no code, and what visitors cannot find', async () => {
    const waiting = await submitted(market, seller);
    const said = async (path: string, method: string) => {
      const { status, body } = await ask(path, phone(), method);
      return [status, body.error.code];
    };
    expect(await said('/1234567', 'PUT')).toEqual([400, 'validation']);
    expect(await said('/gone', 'PUT')).toEqual([400, 'validation']);
    expect(await said(`/${'f'.repeat(36)}`, 'DELETE')).toEqual([400, 'validation']);
    expect(await said(`/${code(waiting)}`, 'PUT')).toEqual([404, 'products.notFound']);
  });

  test('move to the account at sign-in, so that the next person on the phone sees none', async () => {
    const [first, second] = [await live(market, seller, admin), await live(market, seller, admin)];
    const [one, other] = [phone(), phone()];
    await ask(`/${code(first)}`, one, 'PUT');
    await ask(`/${code(second)}`, other, 'PUT');
    await signIn(one, member);
    expect(one.jar.has('favourites')).toBe(false);
    market.clock.advance({ minutes: 1 });
    await signIn(other, member);
    for (const as of [one, other]) expect(await codes(as)).toEqual([code(first), code(second)]);
    await market.call('/api/auth/sign-out', { method: 'POST', as: one });
    expect(await codes(one)).toEqual([]);
    await signIn(one, seller);
    expect(await codes(one)).toEqual([]);
    expect(await codes(other)).toEqual([code(first), code(second)]);
  });

  test('are kept and let go by forms, which say what was not kept', async () => {
    const product = await live(market, seller, admin);
    const as = phone();
    const send = async (path: string, keep: string) => {
      const { status, headers } = await market.request(`/favourites/${path}?language=fr`, {
        method: 'POST',
        body: new URLSearchParams({ keep }),
        as,
      });
      return [status, headers.get('location')];
    };
    expect(await send(code(product), 'yes')).toEqual([303, '/fr/favourites']);
    expect(await codes(as)).toEqual([code(product)]);
    expect(await send(code(product), 'no')).toEqual([303, '/fr/favourites']);
    expect(await codes(as)).toEqual([]);
    expect(await send('ffffffff', 'yes')).toEqual([303, '/fr/favourites?gone']);
    as.jar.keep(new Headers({ 'set-cookie': `favourites=ffffffff.${code(product)}; Path=/` }));
    expect(await send('gone', 'no')).toEqual([303, '/fr/favourites']);
    expect(await codes(as)).toEqual([code(product)]);
  });
});
