import { desc, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { leave } from '../../../api/account/leaving/leave.ts';
import { stay } from '../../../api/account/leaving/stay.ts';
import { createAdmin } from '../../../api/auth/createAdmin.ts';
import { removeAdmin } from '../../../api/auth/removeAdmin.ts';
import { newLinkCode } from '../../../api/chats/linking/newLinkCode.ts';
import { removeSeller } from '../../../api/sellers/remove.ts';
import { schema } from '../../../db/client.ts';
import { accountActions } from '../../support/account.ts';
import {
  type Person,
  signInAdmin,
  signUpMember,
  signUpSeller,
  suspend,
  unsuspend,
  withFactor,
} from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { chatOf } from '../../support/chat.ts';
import { collide } from '../../support/race.ts';

const market = await testApp();
const { as } = accountActions(market);
beforeEach(() => market.reset({ accounts: true }));
const { user, session, chats, secondFactors, chatLinkCodes, auditLog, signInLinks } = schema;
const job = () => market.job('admin:create');
const make = ({ email }: Pick<Person, 'email'>) =>
  createAdmin(
    { ...job(), auth: market.auth },
    { email, name: 'Somebody', password: 'A good password 1' },
  );
const roleOf = async ({ email }: Pick<Person, 'email'>) =>
  (await market.db.select().from(user).where(eq(user.email, email)))[0]?.role;

describe('making an admin is refused, and says why,', () => {
  test('of an account that is about to be deleted, admin or not, until its owner keeps it', async () => {
    const [member, admin] = [await signUpMember(market), await signInAdmin(market)];
    await signInAdmin(market);
    for (const person of [member, admin]) {
      await leave(await as(person), { password: person.password });
      await expect(make(person)).rejects.toThrow(/about to be deleted.*keep it under My Account/);
      await stay(await market.ctx(person));
      await make(person);
      expect(await roleOf(person)).toBe('admin');
    }
  });

  test('of a suspended seller, and of an address that is barred', async () => {
    const [seller, gone] = [await signUpSeller(market), await signUpSeller(market)];
    await suspend(market, seller);
    await expect(make(seller)).rejects.toThrow(/suspended seller. Lift the suspension/);
    expect(await roleOf(seller)).toBe('member');
    await unsuspend(market, seller);
    await make(seller);
    await removeSeller(job(), gone.sellerId ?? '');
    await expect(make(gone)).rejects.toThrow(/address is barred/);
    expect(await roleOf(gone)).toBe('member');
  });
});

describe('taking an admin’s rights', () => {
  test('ends sessions, links, chats and the second factor, keeps account and password, and is in the audit log', async () => {
    const [admin, other] = [await signInAdmin(market), await signInAdmin(market)];
    await withFactor(market, admin);
    await chatOf(market, admin);
    await newLinkCode(await market.ctx(admin));
    await market.call('/api/auth/sign-in-link', { json: { email: admin.email } });
    await removeAdmin(job(), ` ${admin.email.toUpperCase()} `);

    expect(await roleOf(admin)).toBe('member');
    expect((await market.call('/api/admin/settings', { as: admin })).status).toBe(401);
    for (const table of [session, secondFactors, chatLinkCodes, signInLinks])
      expect(await market.db.$count(table, eq(table.userId, admin.userId))).toBe(0);
    expect(await market.db.select({ userId: chats.userId }).from(chats)).toEqual([
      { userId: null },
    ]);
    const { email, password } = admin;
    expect((await market.call('/api/auth/sign-in', { json: { email, password } })).status).toBe(
      200,
    );
    expect(
      (await market.call('/api/auth/admin/sign-in', { json: { email, password } })).body.error.code,
    ).toBe('auth.notAdmin');
    expect((await market.call('/api/admin/settings', { as: other })).status).toBe(200);
    const [line] = await market.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
    expect(line).toMatchObject({
      action: 'admin.remove',
      subjectId: admin.userId,
      before: { role: 'admin' },
      after: { role: 'member' },
    });
  });

  test('leaves a seller the profile, and is refused for nobody and for who is no admin', async () => {
    const [seller] = [await signUpSeller(market), await signInAdmin(market)];
    await expect(removeAdmin(job(), seller.email)).rejects.toThrow('no admin');
    await expect(removeAdmin(job(), 'nobody@example.test')).rejects.toThrow('Nobody');
    await make(seller);
    await removeAdmin(job(), seller.email);
    const { email, password } = seller;
    expect(
      (await market.call('/api/auth/sign-in', { json: { email, password }, as: seller })).status,
    ).toBe(200);
    expect((await market.call<{ role: string }>('/api/auth/me', { as: seller })).body.role).toBe(
      'seller',
    );
  });

  test('is refused for the last who stays, also of two at once', async () => {
    const [one, other] = [await signInAdmin(market), await signInAdmin(market)];
    await leave(await as(other), { password: other.password });
    await expect(removeAdmin(job(), one.email)).rejects.toThrow('last admin');
    await stay(await market.ctx(other));
    const ends = await collide(
      market.sql,
      'select from "user" for update',
      [one, other].map(
        ({ email }) =>
          () =>
            removeAdmin(job(), email),
      ),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await market.db.$count(user, eq(user.role, 'admin'))).toBe(1);
  });
});
