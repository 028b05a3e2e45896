import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { type Person, signInAdmin, signUpByMail, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';

/** Locals of the last page. */
let told: { mark: string; role: string } | undefined;
const market = await testApp({
  pages: async ({ mark, ctx }) => {
    told = { mark, role: ctx.actor.kind };
    return new Response('<p>page</p>', { headers: { 'content-type': 'text/html' } });
  },
});
const html = { accept: 'text/html' };
const markIn = (headers: Headers) =>
  headers.getSetCookie().find((line) => line.startsWith('signed-in='));
const markOf = ({ jar }: { jar: Jar }) => /(?:^|; )signed-in=([^;]*)/.exec(jar.header())?.[1];
const signIn = ({ email, password }: Pick<Person, 'email' | 'password'>, as: { jar: Jar }) =>
  market.request('/api/auth/sign-in', { json: { email, password }, as });

describe('the mark beside the session', () => {
  test('comes with every way in, can be read by scripts, and says nothing of a person', async () => {
    const member = await signUpByMail(market);
    expect(markOf(member)).toMatch(/^[\da-f]{10}$/);
    const again = { jar: new Jar() };
    const line = markIn((await signIn(member, again)).headers) ?? '';
    expect(line).toMatch(/^signed-in=[\da-f]{10}; Max-Age=2592000; Path=\/; SameSite=Lax$/);
    // It identifies a session, not a person, so nobody can be tracked across sign-ins.
    expect(markOf(again)).not.toBe(markOf(member));
    const admin = { jar: new Jar() };
    const { email, password } = await signInAdmin(market);
    await market.request('/api/auth/admin/sign-in', { json: { email, password }, as: admin });
    expect(markOf(admin)).toMatch(/^[\da-f]{10}$/);
  });

  test.each(['/api/auth/sign-out', '/sign-out'])('goes with the session by %s', async (path) => {
    const seller = await signUpSeller(market);
    await market.request(path, {
      method: 'POST',
      as: seller,
      ...(path.startsWith('/api') ? {} : { form: { returnTo: '/' } }),
    });
    expect(markOf(seller)).toBeUndefined();
  });

  test('goes with the next answer after somebody else has ended the session', async () => {
    const seller = await signUpSeller(market);
    await market.db.delete(schema.session).where(eq(schema.session.userId, seller.userId));
    const answer = await market.request('/api/products/mine', { as: seller });
    expect(answer.status).toBe(401);
    expect(markIn(answer.headers)).toMatch(/^signed-in=; Max-Age=0/);
  });

  test('comes back where it is missing, and a made-up one goes', async () => {
    const seller = await signUpSeller(market);
    const mark = markOf(seller);
    seller.jar.keep(new Headers({ 'set-cookie': 'signed-in=; Max-Age=0' }));
    await market.request('/api/auth/me', { as: seller });
    expect(markOf(seller)).toBe(mark);
    expect(markIn((await market.request('/api/auth/me', { as: seller })).headers)).toBeUndefined();
    const stranger = { jar: new Jar() };
    stranger.jar.keep(new Headers({ 'set-cookie': 'signed-in=0123456789' }));
    await market.request('/api/auth/me', { as: stranger });
    expect(markOf(stranger)).toBeUndefined();
  });

  test('is what a page is written for, and nothing that a browser can make up', async () => {
    const seller = await signUpSeller(market);
    await market.request('/', { headers: html, as: seller });
    expect(told).toEqual({ mark: markOf(seller), role: 'seller' });
    await market.request('/', { headers: { ...html, cookie: 'signed-in=0123456789' } });
    expect(told).toEqual({ mark: '', role: 'visitor' });
    expect(markIn((await market.request('/', { headers: html })).headers)).toBeUndefined();
  });
});

describe.each([...languages])('when even the error screen fails, in %s', (language) => {
  test('the router’s own fallback says so, with a sentence, a reference and the error’s text without paths', async () => {
    const broken = await testApp({
      pages: async () => {
        throw new Error('drawer of /home/market stuck');
      },
    });
    const answer = await broken.request(`/${language}/how-it-works`, { headers: html });
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).toContain(`<h1>${translator(language, 'common')('routerFallback.title')}</h1>`);
    const reference = answer.headers.get('x-request-id') ?? '-';
    expect(text).toContain(translator(language, 'errors')('unexpected', { requestId: reference }));
    expect(text).toContain('drawer of [path] stuck');
    expect(text).not.toContain('/home/market');
    expect(text).toContain(`href="/${language}"`);
    expect(JSON.stringify(broken.logged)).toContain('drawer of /home/market stuck');
  });
});
