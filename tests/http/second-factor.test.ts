import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { resetSecondFactor } from '../../api/auth/secondFactor/resetSecondFactor.ts';
import { schema } from '../../db/client.ts';
import { codeOf } from '../support/account.ts';
import { type Person, signInAdmin, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';
import { tokenIn } from '../support/mail.ts';

const market = await testApp();
let admin: Person;
beforeEach(async () => {
  await market.reset({ accounts: true });
  admin = await signInAdmin(market, {
    email: 'admin@example.test',
    password: 'secret',
    name: 'Admin',
  });
});

type Answer = {
  secret: string;
  picture: { size: number; path: string };
  codes: string[];
  since: string | null;
  codesLeft: number;
};
type Body = Answer & { error: { code: string; message: string } };
const door = '/api/admin/second-factor';
const post = (path: string, json: object, as: { jar: Jar } = admin) =>
  market.call<Body>(`${door}${path}`, { json, as });
const status = async () => (await market.call<Body>(door, { as: admin })).body;
const codeIn = (secret: string, seconds = 0) =>
  codeOf(secret, new Date(market.clock.now().getTime() + seconds * 1000));
const begin = async () => (await post('/begin', { password: admin.password })).body.secret;

/** Turns it on, and moves to the next code. */
async function turnOn(): Promise<{ secret: string; codes: string[] }> {
  const secret = await begin();
  const { body } = await post('/confirm', { code: codeIn(secret) });
  market.clock.advance({ seconds: 30 });
  return { secret, codes: body.codes };
}

async function signIn(
  code?: string,
  options: { password?: string; path?: string; language?: 'en' | 'fr' } = {},
) {
  const jar = new Jar();
  const { password = admin.password, path = '/api/auth/admin/sign-in', language = 'en' } = options;
  const answer = await market.call<Body>(path, {
    json: { email: admin.email, password, ...(code === undefined ? {} : { code }) },
    as: { jar },
    language,
  });
  const { body } = await market.call<{ role: string }>('/api/auth/me', { as: { jar } });
  return {
    said: answer.status === 200 ? 'in' : answer.body.error.code,
    role: body.role,
    message: answer.body.error?.message,
    jar,
  };
}
const sessions = () =>
  market.db.select().from(schema.session).where(eq(schema.session.userId, admin.userId));
const mails = async () =>
  (await market.db.select().from(schema.outbox).orderBy(schema.outbox.turn)).map(
    ({ kind, recipient }) => `${kind} to ${recipient}`,
  );
const actions = async () =>
  (await market.db.select({ action: schema.auditLog.action }).from(schema.auditLog)).map(
    ({ action }) => action,
  );

describe('turning it on', () => {
  test('takes the password, shows the secret, and counts for nothing before a code has confirmed it', async () => {
    expect(await post('/begin', { password: 'another' })).toMatchObject({
      status: 422,
      body: { error: { code: 'auth.passwordWrong' } },
    });
    const { body } = await post('/begin', { password: admin.password });
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(body.picture.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
    expect(body.picture.size).toBeGreaterThan(40);
    expect((await status()).since).toBeNull();
    expect((await signIn()).said).toBe('in');
    expect((await post('/confirm', { code: '000000' })).body.error.code).toBe('auth.codeWrong');
    expect((await post('/confirm', { code: codeIn(body.secret, -90) })).body.error.code).toBe(
      'auth.codeWrong',
    );
    expect((await post('/confirm', { code: codeIn(body.secret) })).status).toBe(200);
    expect(await status()).toEqual({ since: market.clock.now().toISOString(), codesLeft: 10 });
  });

  test('answers ten backup codes, ends the other sessions, is written to the audit log, and stores nothing readable', async () => {
    const elsewhere = await signIn();
    const { secret, codes } = await turnOn();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/);
    expect((await market.call<{ role: string }>('/api/auth/me', { as: elsewhere })).body.role).toBe(
      'visitor',
    );
    expect((await status()).codesLeft).toBe(10);
    expect(await actions()).toContain('admin.factor.on');
    expect(await mails()).toEqual([`factorOn to ${admin.email}`]);
    const kept = JSON.stringify([
      await market.db.select().from(schema.secondFactors),
      await market.db.select().from(schema.backupCodes),
      await market.db.select().from(schema.auditLog),
    ]);
    for (const open of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(kept).not.toContain(open);
  });

  test('is refused when it is on already, and when it was not begun', async () => {
    expect((await post('/confirm', { code: '123456' })).body.error.code).toBe('auth.factorOff');
    const { secret } = await turnOn();
    expect((await post('/begin', { password: admin.password })).body.error.code).toBe(
      'auth.factorOn',
    );
    expect((await post('/confirm', { code: codeIn(secret) })).body.error.code).toBe(
      'auth.factorOn',
    );
    expect((await signIn(codeIn(secret))).said).toBe('in');
  });

  test('begun again, makes the first secret worthless', async () => {
    const first = await begin();
    const second = await begin();
    expect((await post('/confirm', { code: codeIn(first) })).body.error.code).toBe(
      'auth.codeWrong',
    );
    expect((await post('/confirm', { code: codeIn(second) })).status).toBe(200);
  });

  test('is no seller’s', async () => {
    const seller = await signUpSeller(market);
    for (const [path, json] of [
      ['/begin', { password: seller.password }],
      ['/confirm', { code: '123456' }],
      ['/end', { password: seller.password, code: '123456' }],
    ] as const)
      expect(await post(path, json, seller)).toMatchObject({
        status: 403,
        body: { error: { code: 'forbidden' } },
      });
  });
});

describe('signing in with it', () => {
  test('takes password and code; the password alone makes no session', async () => {
    const { secret } = await turnOn();
    const before = (await sessions()).length;
    expect(await signIn()).toMatchObject({ said: 'auth.codeNeeded', role: 'visitor' });
    expect(await signIn('000000')).toMatchObject({ said: 'auth.codeWrong', role: 'visitor' });
    expect(await sessions()).toHaveLength(before);
    expect(await signIn(` ${codeIn(secret).replace(/^.../, '$& ')}`)).toMatchObject({
      said: 'in',
      role: 'admin',
    });
  });

  test('tells nobody without the password that there is one, and uses no code up', async () => {
    const { secret } = await turnOn();
    expect((await signIn(undefined, { password: 'another' })).said).toBe('auth.invalidCredentials');
    expect((await signIn(codeIn(secret), { password: 'another' })).said).toBe(
      'auth.invalidCredentials',
    );
    expect((await signIn(codeIn(secret))).said).toBe('in');
  });

  test('takes each code once, and the next one again', async () => {
    const { secret } = await turnOn();
    const code = codeIn(secret);
    const former = codeIn(secret, -30);
    expect((await signIn(code)).said).toBe('in');
    expect(await signIn(code, { language: 'fr' })).toMatchObject({
      said: 'auth.codeUsed',
      role: 'visitor',
      message: 'Ce code a déjà servi. Attendez que votre téléphone affiche le suivant.',
    });
    expect((await signIn(former)).said).toBe('auth.codeUsed');
    market.clock.advance({ seconds: 30 });
    expect((await signIn(codeIn(secret))).said).toBe('in');
  });

  test('takes the code of one step ago and refuses one of two', async () => {
    const { secret } = await turnOn();
    const code = codeIn(secret);
    market.clock.advance({ seconds: 60 });
    expect(await signIn(code)).toMatchObject({ said: 'auth.codeWrong', role: 'visitor' });
    const next = codeIn(secret);
    market.clock.advance({ seconds: 30 });
    expect((await signIn(next)).said).toBe('in');
  });

  test('lets one of two in who send one code at once', async () => {
    const { secret, codes } = await turnOn();
    const said = async (code = '') =>
      (await Promise.all([signIn(code), signIn(code)])).map((one) => one.said).sort();
    expect(await said(codeIn(secret))).toEqual(['auth.codeUsed', 'in']);
    expect(await said(codes[0])).toEqual(['auth.codeWrong', 'in']);
  });

  test('takes a backup code once, however it is typed', async () => {
    const { codes } = await turnOn();
    const [code = ''] = codes;
    expect((await signIn(code.toUpperCase().replaceAll('-', ' '))).said).toBe('in');
    expect(await signIn(code)).toMatchObject({ said: 'auth.codeWrong', role: 'visitor' });
    expect((await status()).codesLeft).toBe(9);
  });

  test('is limited to five codes in a quarter of an hour', async () => {
    const { secret } = await turnOn();
    market.clock.advance({ minutes: 15 });
    for (let n = 0; n < 5; n++) expect((await signIn('000000')).said).toBe('auth.codeWrong');
    expect((await signIn(codeIn(secret))).said).toBe('auth.tooManyAttempts');
    market.clock.advance({ minutes: 15 });
    expect((await signIn(codeIn(secret))).said).toBe('in');
  });

  test('is the only way in: the seller’s sign-in, sign-up and a new password let nobody pass', async () => {
    const password = 'a longer secret';
    admin = await signInAdmin(market, { email: 'both@example.test', password, name: 'Both' });
    await turnOn();
    const before = (await sessions()).length;
    expect(await signIn(undefined, { path: '/api/auth/sign-in' })).toMatchObject({
      said: 'auth.codeNeeded',
      role: 'visitor',
    });
    const jar = new Jar();
    const signUp = await market.call('/api/auth/sign-up', {
      json: { email: admin.email, password, name: 'Both', agreed: '0' },
      as: { jar },
    });
    expect(signUp).toMatchObject({ status: 403, body: { error: { code: 'auth.codeNeeded' } } });
    expect(jar.has('session_token')).toBe(false);
    await market.call('/api/auth/forgot-password', { json: { email: admin.email } });
    const token = tokenIn(await market.mails.lastTo(admin.email));
    expect(await sessions()).toHaveLength(before);
    expect(
      (
        await market.call('/api/auth/reset-password', {
          json: { token, password: 'Quite another 1' },
          as: { jar },
        })
      ).status,
    ).toBe(200);
    expect(jar.has('session_token')).toBe(false);
    expect((await signIn(undefined, { password: 'Quite another 1' })).said).toBe('auth.codeNeeded');
  });
});

describe('turning it off', () => {
  test('takes password and code, and is written to the audit log', async () => {
    const { secret } = await turnOn();
    const end = async (password: string, code: string) =>
      (await post('/end', { password, code })).body.error?.code;
    expect(await end('another', codeIn(secret))).toBe('auth.passwordWrong');
    expect(await end(admin.password, '000000')).toBe('auth.codeWrong');
    expect((await status()).since).not.toBeNull();
    expect(await end(admin.password, codeIn(secret))).toBeUndefined();
    expect(await status()).toEqual({ since: null, codesLeft: 0 });
    expect(await actions()).toContain('admin.factor.off');
    expect(await mails()).toEqual([`factorOn to ${admin.email}`, `factorOff to ${admin.email}`]);
    expect((await signIn()).said).toBe('in');
    expect(await end(admin.password, codeIn(secret, 30))).toBe('auth.factorOff');
  });

  test('works with a backup code', async () => {
    const { codes } = await turnOn();
    expect((await post('/end', { password: admin.password, code: codes[3] ?? '' })).status).toBe(
      200,
    );
  });

  test('by the command takes it from who lost phone and codes, and says when there is none', async () => {
    await turnOn();
    expect(await resetSecondFactor(market.job('admin:create'), admin.email)).toBe(true);
    expect((await signIn()).said).toBe('in');
    expect(await actions()).toContain('admin.factor.reset');
    expect((await mails()).at(-1)).toBe(`factorOff to ${admin.email}`);
    expect(await market.db.select().from(schema.backupCodes)).toEqual([]);
    expect(await resetSecondFactor(market.job('admin:create'), admin.email)).toBe(false);
    await expect(
      resetSecondFactor(market.job('admin:create'), 'nobody@example.test'),
    ).rejects.toThrow('Nobody');
  });
});
