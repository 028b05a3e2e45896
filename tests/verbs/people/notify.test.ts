import { readdirSync, readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../../api/core/transaction.ts';
import type { MailKind } from '../../../api/outbox/outbox.ts';
import { isOptional, notifications } from '../../../api/people/notifications.ts';
import { notify, notifySellersOf } from '../../../api/people/notify.ts';
import { switchNotification } from '../../../api/people/switches.ts';
import { nameIn } from '../../../api/shared/format.ts';
import { schema } from '../../../db/client.ts';
import { dictionaries } from '../../../locales/index.ts';
import { languages } from '../../../locales/languages.ts';
import { actors, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const { outbox, sellers, user, products, notificationsOff } = schema;
const who = await actors(market);
beforeEach(() => market.reset());

const job = () => market.job('x');
const rows = () => market.db.select().from(outbox).orderBy(outbox.turn);
const sellerOf = (person: { sellerId: string | null }) => ({ sellerId: person.sellerId ?? '' });
const rejected = { product: 'Chair', reason: 'Dark photos' };

describe('telling a person', () => {
  test('goes to an account that sells nothing, in its language and in its name', async () => {
    await market.db.update(user).set({ language: 'fr' }).where(eq(user.id, who.member.userId));
    const ids = await notify(
      asTx(job()),
      { userId: who.member.userId },
      'passwordChanged',
      {},
      'account',
    );
    const { email, userId } = who.member;
    expect(await rows()).toMatchObject([
      {
        id: ids[0],
        userId,
        recipient: email,
        language: 'fr',
        channel: 'email',
        kind: 'passwordChanged',
      },
    ]);
    expect((await rows())[0]?.bodyText).toContain('http://market.test/fr/account');
    expect((await rows())[0]?.bodyText).toMatch(/^Bonjour Member,/);
  });

  test('goes to a seller by the profile’s name and address, and belongs to the account', async () => {
    const { otherSeller } = who;
    const words = (language: string) => ({ product: language, reason: 'x' });
    await notify(asTx(job()), sellerOf(otherSeller), 'productRejected', words, 'seller/dashboard');
    expect(await rows()).toMatchObject([
      {
        userId: otherSeller.userId,
        recipient: otherSeller.email,
        language: 'fr',
        subject: expect.stringContaining('fr'),
      },
    ]);
    expect((await rows())[0]?.bodyText).toMatch(/^Bonjour Fotso,/);
  });

  test('goes to an imported seller without an account, by the address alone', async () => {
    const [imported] = await market.db
      .insert(sellers)
      .values({ name: 'Import', email: 'import@example.test' })
      .returning();
    await notify(asTx(job()), { sellerId: imported?.id ?? '' }, 'productRejected', rejected);
    expect(await rows()).toMatchObject([
      { userId: null, recipient: 'import@example.test', language: 'en' },
    ]);
  });

  test('goes to a mailbox without an account, and greets nobody there', async () => {
    await notify(
      asTx(job()),
      { email: 'new@example.test', language: 'fr' },
      'verifyEmail',
      {},
      'email-verification?token=x',
    );
    expect(await rows()).toMatchObject([
      {
        userId: null,
        recipient: 'new@example.test',
        language: 'fr',
        bodyText: expect.stringMatching(/^Bonjour,/),
      },
    ]);
  });

  test('that there is not writes nothing', async () => {
    expect(await notify(asTx(job()), { userId: 'nobody' }, 'passwordChanged', {})).toEqual([]);
    expect(
      await notify(
        asTx(job()),
        { sellerId: '3f9c1d2e-0000-4000-8000-000000000000' },
        'sellerVerified',
        {},
      ),
    ).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('is undone with what it tells', async () => {
    const failing = inTransaction(job(), async (tx) => {
      await notify(tx, { userId: who.member.userId }, 'passwordChanged', {});
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
  });

  test('leaves a message that is nobody’s when the account goes', async () => {
    const gone = await signUpMember(market);
    await market.reset();
    await notify(asTx(job()), { userId: gone.userId }, 'passwordChanged', {});
    await market.db.delete(user).where(eq(user.id, gone.userId));
    expect(await rows()).toMatchObject([{ userId: null, recipient: gone.email }]);
  });
});

test('telling the sellers of products writes to each in their own language, and to nobody for a product without a seller', async () => {
  const [first, second, third] = [
    await submitted(market, who.seller),
    await submitted(market, who.otherSeller),
    await submitted(market, who.otherSeller),
  ];
  await market.db.update(products).set({ sellerId: null }).where(eq(products.id, third.id));
  await market.db.delete(outbox);
  const ids = [first.id, second.id, third.id];
  const written = await notifySellersOf(
    asTx(job()),
    ids,
    'productLive',
    ({ name }, language) => ({ product: nameIn(name, 'en'), slot: '07', end: language }),
    ({ slug }) => `shop/7/${slug}`,
  );
  expect(written).toHaveLength(2);
  const found = Object.fromEntries((await rows()).map((row) => [row.userId, row]));
  expect(found[who.seller.userId]).toMatchObject({
    language: 'en',
    bodyText: expect.stringContaining('http://market.test/en/shop/7/'),
  });
  expect(found[who.otherSeller.userId]).toMatchObject({
    language: 'fr',
    bodyText: expect.stringContaining('http://market.test/fr/shop/7/'),
  });
  expect(
    await notifySellersOf(asTx(job()), [], 'productRestored', () => ({ product: 'x' })),
  ).toEqual([]);
});

describe('a kind that a person has switched off', () => {
  test('is not written for them, and is for everybody else', async () => {
    await switchNotification(await market.ctx(who.seller), 'productRejected', false);
    await switchNotification(await market.ctx(who.seller), 'productRejected', false);
    for (const person of [who.seller, who.otherSeller])
      await notify(asTx(job()), sellerOf(person), 'productRejected', rejected);
    await notify(asTx(job()), sellerOf(who.seller), 'productRestored', { product: 'Chair' });
    expect((await rows()).map(({ userId, kind }) => [userId, kind])).toEqual([
      [who.otherSeller.userId, 'productRejected'],
      [who.seller.userId, 'productRestored'],
    ]);
  });

  test('is written again once it is switched on', async () => {
    const ctx = await market.ctx(who.seller);
    await switchNotification(ctx, 'productRejected', false);
    await switchNotification(ctx, 'productRejected', true);
    expect(
      await notify(asTx(job()), sellerOf(who.seller), 'productRejected', rejected),
    ).toHaveLength(1);
  });

  test('is never one of those that a person must get', async () => {
    const ctx = await market.ctx(who.seller);
    for (const kind of [
      'verifyEmail',
      'resetPassword',
      'signInLink',
      'passwordChanged',
      'factorOff',
      'sellerSuspended',
      'sellerDeleted',
      'sellerNotification',
    ]) {
      expect(isOptional(kind as MailKind), kind).toBe(false);
      await refused(switchNotification(ctx, kind as never, false), 'forbidden');
    }
    // A row inserted by other means does not suppress one either.
    await market.db
      .insert(notificationsOff)
      .values({ userId: who.seller.userId, kind: 'sellerSuspended', since: market.clock.now() });
    expect(
      await notify(asTx(job()), sellerOf(who.seller), 'sellerSuspended', { reason: 'x' }),
    ).toHaveLength(1);
  });

  test('is a matter of people with an account', async () => {
    await refused(
      switchNotification(await market.ctx(), 'productRejected', false),
      'signInRequired',
    );
  });
});

describe('parameters that each mail needs', () => {
  for (const language of languages) {
    test(`is what its sentences speak of, in ${language}`, () => {
      const spoken = Object.keys(notifications).map((kind) => {
        const found = JSON.stringify(dictionaries[language].mail[kind as MailKind]).matchAll(
          /\{\{(\w+)\}\}/g,
        );
        return [kind, [...new Set([...found].map(([, name]) => name))].sort()];
      });
      const named = Object.entries(notifications).map(([kind, rule]) => [
        kind,
        [
          ...('params' in rule ? rule.params : []),
          ...('perhaps' in rule ? rule.perhaps : []),
        ].sort(),
      ]);
      expect(spoken).toEqual(named);
    });
  }
});

test('nothing writes to the outbox but the one way to tell people', () => {
  const files = ['api', 'jobs'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => `${root}/${name}`),
  );
  const writing = files.filter(
    (file) => file.endsWith('.ts') && readFileSync(file, 'utf8').includes('writeMessages'),
  );
  expect(writing.sort()).toEqual(['api/outbox/outbox.ts', 'api/people/notify.ts']);
});
