import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { type Person, signInAdmin, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';
import { tokenIn } from '../support/mail.ts';
import { source } from '../support/processes.ts';

const market = await testApp();
const sessionsOf = ({ userId }: Person) =>
  market.db.select().from(schema.session).where(eq(schema.session.userId, userId));
const roleOf = async (as: { jar: Jar }) =>
  (await market.call<{ role: string }>('/api/auth/me', { as })).body.role;
const signIn = (
  as: { jar: Jar },
  { email, password }: { email: string; password: string },
  headers: Record<string, string> = {},
) => market.call('/api/auth/admin/sign-in', { json: { email, password }, as, headers });

describe.concurrent('whoever is no admin and signs in as one (product §5)', () => {
  test('is signed out: what was open in this browser ends, row and cookie, and nothing elsewhere', async () => {
    const seller = await signUpSeller(market);
    const elsewhere = { jar: new Jar() };
    await market.call('/api/auth/sign-in', {
      json: { email: seller.email, password: seller.password },
      as: elsewhere,
    });
    const copied = { jar: seller.jar.copy() };
    const { status, body } = await signIn(seller, seller);
    expect([status, body.error.code, body.error.message]).toEqual([
      403,
      'auth.notAdmin',
      'Access denied: You do not have admin privileges',
    ]);
    expect(seller.jar.has('session_token')).toBe(false);
    expect([await roleOf(copied), await roleOf(elsewhere)]).toEqual(['visitor', 'seller']);
    expect(await sessionsOf(seller)).toHaveLength(1);
  });

  test('ends whatever was open there, also another person’s', async () => {
    const [seller, other] = [await signUpSeller(market), await signUpSeller(market)];
    expect((await signIn(seller, other)).status).toBe(403);
    expect(await sessionsOf(seller)).toEqual([]);
    expect(await sessionsOf(other)).toHaveLength(1);
  });

  test('ends nothing with a wrong password, or from another site', async () => {
    const seller = await signUpSeller(market);
    expect((await signIn(seller, { ...seller, password: 'not the password' })).status).toBe(401);
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[])
      expect((await signIn(seller, seller, headers)).body.error.code).toBe('originRefused');
    expect(await roleOf(seller)).toBe('seller');
  });
});

describe.concurrent('the password of an admin, where it is chosen (product §5)', () => {
  const sentence =
    'Password must be at least 8 characters with one uppercase letter, one lowercase letter and one number';
  const forgotten = async ({ email }: Person) => {
    await market.call('/api/auth/forgot-password', { json: { email } });
    return tokenIn(await market.mails.lastTo(email));
  };
  const reset = (token: string, password: string, language: 'en' | 'fr' = 'en') =>
    market.call('/api/auth/reset-password', { json: { token, password }, language });

  test('is strong at a link for a new one, which a weak one does not use up', async () => {
    const admin = await signInAdmin(market);
    const token = await forgotten(admin);
    for (const weak of ['all small letters 1', 'ALL CAPITALS 1', 'No Number Here'])
      expect(await reset(token, weak)).toMatchObject({
        status: 400,
        body: {
          error: { fields: [{ path: 'password', code: 'strongPassword', message: sentence }] },
        },
      });
    expect((await reset(token, 'no capital 1', 'fr')).body.error.fields?.[0]?.message).toBe(
      'Le mot de passe doit contenir au moins 8 caractères, dont une majuscule, une minuscule et un chiffre',
    );
    expect(await roleOf(admin)).toBe('admin');
    expect((await reset(token, 'Étal numéro 54')).status).toBe(200);
    expect(
      (await signIn({ jar: new Jar() }, { email: admin.email, password: 'Étal numéro 54' })).status,
    ).toBe(200);
  });

  test('is only long enough where a seller chooses it', async () => {
    const seller = await signUpSeller(market);
    expect((await reset(await forgotten(seller), 'plain and long')).status).toBe(200);
  });

  const adminCreate = [
    source('api/commands/createAdmin.ts'),
    '--email',
    'a@example.test',
    '--name',
    'Ngo',
  ];
  const env = { PATH: process.env.PATH, DATA_DIR: '/nowhere/at/all' };
  // Not spawnSync, which would block this file's parallel tests.
  async function make(input: string, ...args: string[]) {
    const child = Bun.spawn([process.execPath, ...adminCreate, ...args], {
      env,
      stdin: new Blob([input]),
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { status: await child.exited, stdout, stderr };
  }

  test('is strong at admin:create, which reads it from standard input and says so before it opens anything', async () => {
    expect(await make('sixsix\n')).toMatchObject({ status: 1, stderr: `password: ${sentence}\n` });
  });

  test('is refused as an argument of admin:create, where history and ps would show it', async () => {
    const made = await make('', '--password', 'Strong and 1');
    expect(made).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^--password would be in the shell’s history/),
    });
    expect(made.stderr).not.toContain('Strong and 1');
  });

  test('is not shown where it is typed for admin:create on a terminal', async () => {
    let shown = '';
    let typed = false;
    const child = Bun.spawn([process.execPath, ...adminCreate], {
      env,
      terminal: {
        data(terminal, bytes) {
          shown += new TextDecoder().decode(bytes);
          if (typed || !shown.includes('Password (')) return;
          typed = true;
          // One letter too many, then a backspace.
          terminal.write('sixsixx\u007f\r');
        },
      },
    });
    expect(await child.exited).toBe(1);
    expect(shown).toContain(sentence.slice(0, 40));
    expect(shown).not.toMatch(/six/);
  });
});
