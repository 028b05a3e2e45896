import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, hashPassword } from '../../api/auth/create.ts';
import { createAdmin } from '../../api/auth/createAdmin.ts';
import { inTransaction } from '../../api/core/transaction.ts';
import { prepareAdmin } from '../../api/demo/admin.ts';
import { createMembers, seedConnect } from '../../api/demo/connect.ts';
import { simulation } from '../../api/payments/adapters.ts';
import { schema } from '../../db/client.ts';
import { requests } from '../../db/seed/connect.ts';
import { sellers } from '../../db/seed/listings.ts';
import { actors, signInAdmin, signUpMember } from '../support/actors.ts';
import { type Caller, testApp } from '../support/app.ts';
import { expectSoundCredits } from '../support/credits.ts';
import { Jar } from '../support/jar.ts';
import { tokenIn } from '../support/mail.ts';
import { folderInTmp } from '../support/processes.ts';

const folder = folderInTmp();
afterAll(() => rmSync(folder, { recursive: true }));
const demo = await testApp({ env: { DEMO: '1', DATA_DIR: folder } });
const { seller, admin, visitor } = await actors(demo);
const otherAdmin = await signInAdmin(demo);
beforeEach(() => demo.reset());

type Outbox = { messages: { to: string; subject: string; text: string }[] };
const recipients = async (as?: Caller) =>
  (await demo.call<Outbox>('/api/demo/outbox', as ? { as } : {})).body.messages.map(({ to }) => to);
const forgot = (email: string) => demo.call('/api/auth/forgot-password', { json: { email } });
const promote = (email: string, password: string) =>
  createAdmin(
    { ...demo.job('admin:create'), auth: demo.auth },
    { email, name: 'Promoted', password },
  );
const signIn = async (email: string, password: string) =>
  (await demo.call('/api/auth/admin/sign-in', { json: { email, password } })).status;

describe('the demo’s outbox', () => {
  test('shows everybody the mails of people, links included: that is what it is for', async () => {
    await forgot(seller.email);
    for (const as of [visitor, seller, admin]) expect(await recipients(as)).toEqual([seller.email]);
    expect((await demo.call<Outbox>('/api/demo/outbox')).body.messages[0]?.text).toMatch(
      /\/reset-password\?token=\w{24}\s/,
    );
  });

  test('shows a mail to an admin to that admin alone', async () => {
    await forgot(admin.email);
    await forgot(seller.email);
    for (const as of [undefined, visitor, seller, otherAdmin])
      expect(await recipients(as)).toEqual([seller.email]);
    expect((await recipients(admin)).sort()).toEqual([admin.email, seller.email].sort());
  });

  test('takes the mails of somebody who is made an admin later out of everybody’s sight, however the address is written', async () => {
    const person = await signUpMember(demo);
    await forgot(person.email);
    await demo.db
      .update(schema.outbox)
      .set({ recipient: person.email.toUpperCase() })
      .where(eq(schema.outbox.recipient, person.email));
    expect(await recipients(visitor)).toContain(person.email.toUpperCase());
    await promote(person.email, 'their new password');
    expect(await recipients(visitor)).toEqual([]);
    expect(await recipients(admin)).toEqual([]);
  });

  test('has fifty mails for a visitor even when the newest are an admin’s', async () => {
    await forgot(seller.email);
    const [row] = await demo.db.select().from(schema.outbox);
    const { id: _id, turn: _turn, ...letter } = row as NonNullable<typeof row>;
    const later = new Date(letter.createdAt.getTime() + 1000);
    await demo.db
      .insert(schema.outbox)
      .values(
        Array.from({ length: 60 }, () => ({ ...letter, recipient: admin.email, createdAt: later })),
      );
    expect(await recipients(visitor)).toEqual([seller.email]);
    expect(new Set(await recipients(admin))).toEqual(new Set([admin.email]));
  });
});

describe('an account that is made an admin', () => {
  test('of the demo has a password that nobody could have set by a mail, and none of its sessions and links', async () => {
    // A reader of the outbox can take this account: its password, a session, and a valid link.
    const person = await signUpMember(demo);
    await forgot(person.email);
    const link = tokenIn(await demo.mails.lastTo(person.email));
    expect((await promote(person.email, 'chosen by the operator')).passwordSet).toBe(true);
    expect((await demo.call<{ role: string }>('/api/auth/me', { as: person })).body.role).toBe(
      'visitor',
    );
    expect(
      (
        await demo.call('/api/auth/reset-password', {
          json: { token: link, password: 'taken by a visitor' },
        })
      ).status,
    ).toBe(410);
    expect(await signIn(person.email, person.password)).toBe(401);
    expect(await signIn(person.email, 'chosen by the operator')).toBe(200);
  });

  test('and is one already keeps password and sessions', async () => {
    expect((await promote(admin.email, 'another password')).passwordSet).toBe(false);
    expect((await demo.call<{ role: string }>('/api/auth/me', { as: admin })).body.role).toBe(
      'admin',
    );
    expect(await signIn(admin.email, admin.password)).toBe(200);
  });

  test('outside the demo keeps its password, and a stranger’s sign-up of the same address is worth nothing', async () => {
    const market = await testApp({ database: demo.database });
    const made = { ...market.job('admin:create'), auth: market.auth };
    const proven = await signUpMember(market);
    expect(
      (await createAdmin(made, { email: proven.email, name: 'x', password: 'another password' }))
        .passwordSet,
    ).toBe(false);
    expect(await signIn(proven.email, proven.password)).toBe(200);
    // A stranger signed up with this address, hoping that the operator makes it an admin.
    const email = 'boss@example.test';
    await market.call('/api/auth/sign-up', {
      json: { email, password: 'set by a stranger', name: 'Boss', agreed: '0' },
    });
    expect(
      (await createAdmin(made, { email, name: 'Boss', password: 'set by the operator' }))
        .passwordSet,
    ).toBe(true);
    expect(await signIn(email, 'set by a stranger')).toBe(401);
    expect(await signIn(email, 'set by the operator')).toBe(200);
    const accounts = await demo.db
      .select({ id: schema.user.id })
      .from(schema.user)
      .where(and(eq(schema.user.email, email), eq(schema.user.role, 'admin')));
    expect(accounts).toHaveLength(1);
  });
});

describe('a start of the demo', () => {
  const file = join(folder, 'demo-admin-password');
  const begin = (env: Record<string, string> = {}) => {
    const job = demo.job('demo');
    return prepareAdmin({
      ...job,
      services: { ...job.services, env: { ...job.services.env, ...env } },
      auth: demo.auth,
    });
  };
  const said = /^admin (\S+) \/ (\S+)$/;
  const enter = async (line: string) => {
    const [, email = '', password = ''] = line.match(said) ?? [];
    return signIn(email, password);
  };

  test('says each time how to sign in as its admin', async () => {
    const line = await begin();
    expect(await enter(line)).toBe(200);
    expect(await begin()).toBe(line);
    expect(await enter(line)).toBe(200);
  });

  test('lets the admin in with what it says, whatever the password was changed to, and ends no session', async () => {
    const line = await begin();
    const [, email = ''] = line.match(said) ?? [];
    await forgot(email);
    const token = tokenIn(await demo.mails.lastTo(email));
    expect(
      (
        await demo.call('/api/auth/reset-password', {
          json: { token, password: 'Forgotten 2 times' },
        })
      ).status,
    ).toBe(200);
    const as = { jar: new Jar() };
    await demo.call('/api/auth/admin/sign-in', {
      json: { email, password: 'Forgotten 2 times' },
      as,
    });
    expect(await begin()).toBe(line);
    expect(await enter(line)).toBe(200);
    expect((await demo.call<{ role: string }>('/api/auth/me', { as })).body.role).toBe('admin');
  });

  test('makes another password when its file is gone', async () => {
    const before = await begin();
    rmSync(file);
    const after = await begin();
    expect(after).not.toBe(before);
    expect(await enter(after)).toBe(200);
    expect(await enter(before)).toBe(401);
  });

  test('keeps the password for the owner of the data folder alone, and names its file where other machines reach the demo', async () => {
    await begin();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const line = await begin({ HOST: '0.0.0.0' });
    expect(line).toContain(file);
    expect(line).not.toContain(readFileSync(file, 'utf8').trim());
  });
});

describe('the demo’s Connect', () => {
  test('is a past that the real verbs made: each thing paid for, every chain whole, one purchase and one report waiting', async () => {
    const job = demo.job('demo');
    const ctx = { ...job, auth: demo.auth };
    const passwordHash = await hashPassword(ctx, 'marche54-demo');
    const own: [string, string][] = [];
    for (const { key, email, name } of sellers)
      own.push([key, (await createAccount(ctx, { email, name, passwordHash })).id]);
    const userIds = new Map([...own, ...(await createMembers(ctx, passwordHash))]);
    // Also where a provider of payments is tried in the demo, who is not asked.
    const payments = [{ ...simulation, name: 'tried', needsNumber: true as const }, simulation];
    const tried = { ...job, services: { ...job.services, payments } };
    await inTransaction(tried, (tx) => seedConnect(tx, userIds));
    await expectSoundCredits(demo);
    const [sum] = await demo.sql`select
      (select count(*)::int from connect_posts) as posts,
      (select count(*)::int from connect_responses) as responses,
      (select count(*)::int from connect_updates) as updates,
      (select count(*)::int from connect_posts where status = 'closed') as closed,
      (select count(*)::int from connect_reports where resolved_at is null) as reports,
      (select count(*)::int from credit_entries where kind = 'spend') as spends,
      (select string_agg(distinct kind, ' ' order by kind) from credit_entries) as kinds,
      (select count(*)::int from purchases
        where status = 'pending' and purchase_method = 'cash_partner') as waiting,
      (select count(*)::int from purchases where status not in ('completed', 'pending')) as failed,
      (select count(*)::int from outbox) as letters,
      (select count(*)::int from settings where key = 'creditsOnJoining') as offers,
      (select count(*)::int from connect_posts where updated_at > ${demo.clock.now()}) as ahead`;
    expect(sum).toMatchObject({
      posts: requests.length,
      waiting: 1,
      failed: 0,
      reports: 1,
      kinds: 'joining purchase spend',
      letters: 0,
      offers: 0,
      ahead: 0,
    });
    expect(sum?.spends).toBe(sum?.posts + sum?.responses + sum?.updates);
    expect([sum?.closed >= 3, sum?.responses >= 25, sum?.updates >= 6]).toEqual([true, true, true]);
    const [mireille] = await demo.sql`select a.balance,
      (select count(*)::int from connect_posts where user_id = u.id) as posts,
        (select count(*)::int from connect_responses where user_id = u.id) as responses
      from credit_accounts a join "user" u on u.id = a.user_id where u.email = ${String(sellers[0]?.email)}`;
    expect([mireille?.balance >= 10, mireille?.posts >= 2, mireille?.responses >= 2]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

test('no route of the demo answers a secret: the outbox, two sellers for its sign-in provider, and the visitor’s own chat are all', () => {
  const doors = demo.app.routes
    .filter(({ path, method }) => path.startsWith('/api/demo') && method !== 'ALL')
    .map(({ path, method }) => `${method} ${path}`);
  expect([...new Set(doors)]).toEqual([
    'GET /api/demo/outbox',
    'GET /api/demo/people',
    'GET /api/demo/chat',
  ]);
});
