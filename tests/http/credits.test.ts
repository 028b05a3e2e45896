import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { memberLedger, members, statement } from '../../api/credits/reads.ts';
import type { ownPurchases, presentPurchase, purchasesIn } from '../../api/payments/reads.ts';
import { saveSetting } from '../../api/settings/saveSetting.ts';
import type { ErrorBody } from '../../api/shared/errors.ts';
import { actors, type Person } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { lastAudit } from '../support/audit.ts';
import {
  balanceOf,
  behindTheTriggers,
  expectSoundCredits,
  grant,
  pay,
} from '../support/credits.ts';

/** Routes of credits and purchases, for members and admins. */
const market = await testApp();
const who = await actors(market);
const { member, seller, suspendedSeller, admin, visitor } = who;
beforeEach(() => market.reset());
type Statement = Awaited<ReturnType<typeof statement>>;
type Purchase = ReturnType<typeof presentPurchase>;

const credits = async (as: Person, query = '') =>
  (await market.call<Statement>(`/api/credits${query}`, { as })).body;
const key = () => ({ 'idempotency-key': randomUUID() });
const buy = (as: Person, method = 'cash_partner', headers: Record<string, string> = key()) =>
  market.call<Purchase>('/api/credits/purchases', { json: { method }, as, headers });
const byAdmin = <T>(path: string, json?: unknown, headers: Record<string, string> = {}) =>
  market.call<T>(`/api/admin/credits/${path}`, {
    as: admin,
    headers,
    ...(json === undefined ? {} : { json }),
  });
const codeOf = (body: unknown) => (body as { error: { code: string } }).error.code;

describe('one’s own credits', () => {
  test('are opened by the first look, for whoever is signed in, and asked of a visitor’s sign-in', async () => {
    for (const person of [member, seller, suspendedSeller, admin])
      expect(await credits(person)).toMatchObject({
        balance: 0,
        entries: [],
        next: null,
        prices: { post: 2, response: 1, post_update: 2 },
      });
    for (const path of ['', '/statement.csv', '/purchases', '/weekly-limit'])
      expect(codeOf((await market.call(`/api/credits${path}`, { as: visitor })).body)).toBe(
        'signInRequired',
      );
  });

  test('are nobody else’s: no parameter leads to another’s balance', async () => {
    await grant(market, seller, 9);
    const { number } = await credits(seller);
    for (const query of [
      `?userId=${seller.userId}`,
      `?target_user_id=${seller.userId}`,
      `?number=${number}`,
      `?member=${number}`,
    ])
      expect((await market.call(`/api/credits${query}`, { as: member })).status).toBe(400);
    expect((await market.call(`/api/admin/credits/members/${number}`, { as: member })).status).toBe(
      403,
    );
    expect((await credits(member)).balance).toBe(0);
  });

  test('come newest first, with the balance after each, a page at a time', async () => {
    await grant(market, member, 100);
    const ctx = await market.ctx(member);
    for (let n = 0; n < 52; n++) await pay(ctx, 'response');
    const first = await credits(member);
    expect([first.balance, first.entries.length, first.entries[0]?.balance, first.next]).toEqual([
      48, 50, 48, 4,
    ]);
    const second = await credits(member, `?before=${first.next}`);
    expect(second.entries.map(({ serial, amount, balance }) => [serial, amount, balance])).toEqual([
      [3, -1, 98],
      [2, -1, 99],
      [1, 100, 100],
    ]);
    expect([second.balance, second.next, second.entries[2]?.reason]).toEqual([
      48,
      null,
      'For the test',
    ]);
    for (const before of ['0', '-1', 'x', '1.5', '99999999999999'])
      expect((await market.call(`/api/credits?before=${before}`, { as: member })).status).toBe(400);
  });

  test('are a CSV with the hashes that prove each line', async () => {
    await grant(market, member, 3);
    await pay(await market.ctx(member));
    await grant(market, seller, 3);
    const answer = await market.request('/api/credits/statement.csv', { as: member });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('marche54-credits.csv');
    const [head, one, two, end] = (await answer.text()).split('\r\n');
    expect(head).toBe(
      'id,member,serial,kind,amount,balance,referenceType,referenceId,undoes,purchaseId,at,previous,hash,reason',
    );
    const hash = one?.split(',')[12];
    expect(one).toMatch(
      /,1,correction,3,3,,,,,2026-11-23T08:00:00\.000Z,,[0-9a-f]{64},For the test$/,
    );
    expect(two).toMatch(
      new RegExp(
        `,2,spend,-2,1,post,[0-9a-f-]{36},,,2026-11-23T08:00:00\\.000Z,${hash},[0-9a-f]{64},$`,
      ),
    );
    expect(end).toBe('');
  });
});

describe('a purchase', () => {
  test('needs its key, and takes nothing but the way to pay', async () => {
    expect((await buy(member, 'stripe', {})).status).toBe(400);
    expect((await buy(member, 'stripe', { 'idempotency-key': 'short' })).status).toBe(400);
    for (const json of [
      {},
      { method: 'bitcoin' },
      { method: 'stripe', amountUsd: 1 },
      { method: 'stripe', creditsAmount: 9999 },
      { method: 'stripe', status: 'completed' },
    ])
      expect(
        (await market.call('/api/credits/purchases', { json, as: member, headers: key() })).status,
        JSON.stringify(json),
      ).toBe(400);
    expect(await balanceOf(market, member)).toBe(0);
  });

  test('is made, shown with what can be done, completed after its seconds, and its limit counted', async () => {
    const headers = key();
    const first = await buy(member, 'stripe', headers);
    expect([first.status, first.body]).toMatchObject([
      201,
      { status: 'pending', amountUsd: 10, creditsAmount: 25, testMode: true, can: [] },
    ]);
    expect((await buy(member, 'stripe', headers)).body).toEqual(first.body);
    expect((await buy(member)).body).toMatchObject({
      purchaseMethod: 'cash_partner',
      can: ['cancel'],
    });
    const limited = await buy(member);
    expect([limited.status, codeOf(limited.body)]).toEqual([409, 'payments.weeklyLimit']);
    market.clock.advance({ seconds: 2 });
    const { body } = await market.call<Awaited<ReturnType<typeof ownPurchases>>>(
      '/api/credits/purchases',
      { as: member },
    );
    expect(body.purchases.map(({ status }) => status).sort()).toEqual(['completed', 'pending']);
    expect(body.pack).toMatchObject({
      credits: 25,
      amountUsd: 10,
      methods: [
        { method: 'stripe', testMode: true },
        { method: 'mobile_money' },
        { method: 'cash_partner' },
      ],
    });
    expect((await credits(member)).balance).toBe(25);
    expect((await market.call('/api/credits/weekly-limit', { as: member })).body).toEqual({
      ...{ can_purchase: false, weekly_limit: 20, remaining_limit: 0 },
      ...{ week_start: '2026-11-22T23:00:00.000Z', days_left: 7 },
    });
    expect(
      (await market.call('/api/credits/weekly-limit?amount_usd=20', { as: seller })).body,
    ).toMatchObject({ can_purchase: true });
  });

  test('is cancelled by a suspended seller as by anybody: selling alone is closed to them', async () => {
    const { body } = await buy(suspendedSeller);
    expect(
      (
        await market.call(`/api/credits/purchases/${body.id}/cancel`, {
          method: 'POST',
          as: seller,
        })
      ).status,
    ).toBe(404);
    expect(
      (
        await market.call(`/api/credits/purchases/${body.id}/cancel`, {
          method: 'POST',
          as: suspendedSeller,
        })
      ).body,
    ).toMatchObject({
      status: 'cancelled',
      can: [],
    });
  });

  test('made and cancelled over and over comes to an end', async () => {
    let status = 200;
    for (let n = 0; n < 30 && status === 200; n++) {
      const { body } = await buy(member);
      ({ status } = await market.call(`/api/credits/purchases/${body.id}/cancel`, {
        method: 'POST',
        as: member,
      }));
    }
    expect(status).toBe(429);
  });

  test('has no route that adds its credits', async () => {
    const { body } = await buy(member);
    for (const path of [
      `credits/purchases/${body.id}/complete`,
      `credits/purchases/${body.id}/settle`,
      'credits/spend',
      'credits',
      'add_credits_from_purchase',
    ])
      expect([404, 405], path).toContain(
        (
          await market.call(`/api/${path}`, {
            json: { purchase_id: body.id, credits_amount: 25 },
            as: member,
          })
        ).status,
      );
    expect(
      (
        await market.call(`/api/admin/credits/purchases/${body.id}/settle`, {
          json: { reference: 'RCT-1' },
          as: member,
        })
      ).status,
    ).toBe(403);
    expect(await balanceOf(market, member)).toBe(0);
  });

  test('is asked about at its adapter’s own route by anybody, and not too often', async () => {
    const call = () =>
      market.call('/api/payments/simulation/callback', {
        method: 'POST',
        body: randomUUID(),
        as: visitor,
        address: 'a stranger',
      });
    const statuses: number[] = [];
    for (let n = 0; n < 302; n++) statuses.push((await call()).status);
    expect([statuses.indexOf(429), statuses.filter((status) => status === 202).length]).toEqual([
      300, 300,
    ]);
  });
});

describe('an admin', () => {
  test('settles cash with a reference: once, in the log, and with a mail', async () => {
    const { body } = await buy(member);
    const pending = await byAdmin<Awaited<ReturnType<typeof purchasesIn>>>('purchases');
    expect(pending.body).toMatchObject({
      total: 1,
      purchases: [{ id: body.id, name: 'Member', email: member.email, userId: member.userId }],
    });
    expect((await byAdmin(`purchases/${body.id}/settle`, { reference: ' ' })).status).toBe(400);
    for (let n = 0; n < 2; n++) {
      const settled = await byAdmin<Purchase>(`purchases/${body.id}/settle`, {
        reference: 'RCT-0042',
      });
      expect(settled.body).toMatchObject({ status: 'completed', paymentReference: 'RCT-0042' });
    }
    expect(await balanceOf(market, member)).toBe(25);
    expect(
      codeOf((await byAdmin(`purchases/${body.id}/settle`, { reference: 'RCT-0043' })).body),
    ).toBe('conflict');
    expect(await lastAudit(market)).toMatchObject({
      action: 'purchase.settle',
      subjectKind: 'user',
      subjectId: member.userId,
      after: { purchase: body.reference, credits: 25, outcome: 'completed', reference: 'RCT-0042' },
    });
    expect((await market.mails.lastTo(member.email)).text).toContain('RCT-0042');
    const other = await buy(seller);
    expect(
      codeOf((await byAdmin(`purchases/${other.body.id}/settle`, { reference: 'RCT-0042' })).body),
    ).toBe('payments.referenceUsed');
    const card = await buy(seller, 'stripe');
    expect(
      codeOf((await byAdmin(`purchases/${card.body.id}/settle`, { reference: 'RCT-0044' })).body),
    ).toBe('payments.notCash');
    expect(
      codeOf((await byAdmin(`purchases/${randomUUID()}/settle`, { reference: 'RCT-0044' })).body),
    ).toBe('payments.notFound');
    await expectSoundCredits(market);
  });

  test('ends a purchase with a reason that its buyer reads, unless it was paid meanwhile', async () => {
    const { body } = await buy(member);
    expect(
      (await byAdmin(`purchases/${body.id}/close`, { outcome: 'failed', reason: '' })).status,
    ).toBe(400);
    expect(
      (await byAdmin(`purchases/${body.id}/close`, { outcome: 'completed', reason: 'Paid' }))
        .status,
    ).toBe(400);
    expect(
      (
        await byAdmin(`purchases/${body.id}/close`, {
          outcome: 'failed',
          reason: 'The cash never came',
        })
      ).body,
    ).toMatchObject({ status: 'failed' });
    expect(await lastAudit(market)).toMatchObject({
      action: 'purchase.close',
      after: { outcome: 'failed', reason: 'The cash never came' },
    });
    const letter = await market.mails.lastTo(member.email);
    expect([letter.subject, letter.text]).toEqual([
      'Purchase failed',
      expect.stringContaining('Reason: The cash never came'),
    ]);
    expect((await byAdmin<{ total: number }>('purchases?status=failed')).body.total).toBe(1);
    // A retry after a lost answer gives the same result; a different one comes too late.
    expect(
      (
        await byAdmin(`purchases/${body.id}/close`, {
          outcome: 'failed',
          reason: 'The cash never came',
        })
      ).body,
    ).toMatchObject({ status: 'failed' });
    const late = await byAdmin<ErrorBody>(`purchases/${body.id}/close`, {
      outcome: 'cancelled',
      reason: 'Asked by phone',
    });
    expect(late.body.error.message).toMatch(/^This purchase has failed in the meantime\./);
    // The card was charged before the admin looked, so the payment counts.
    const card = await buy(member, 'stripe');
    market.clock.advance({ seconds: 2 });
    expect(
      codeOf(
        (
          await byAdmin(`purchases/${card.body.id}/close`, {
            outcome: 'cancelled',
            reason: 'Asked by phone',
          })
        ).body,
      ),
    ).toBe('conflict');
    expect(await balanceOf(market, member)).toBe(25);
    await expectSoundCredits(market);
  });

  test('corrects a balance by an entry of its own, with a reason, never below zero, once a key', async () => {
    const correct = (json: object, headers: Record<string, string> = key()) =>
      byAdmin(
        'corrections',
        { userId: member.userId, amount: 5, reason: 'Paid twice', ...json },
        headers,
      );
    const headers = key();
    for (let n = 0; n < 2; n++)
      expect(await correct({}, headers)).toMatchObject({ status: 201, body: { balance: 5 } });
    expect(await lastAudit(market)).toMatchObject({
      action: 'credits.correct',
      subjectId: member.userId,
      before: { balance: 0 },
      after: { balance: 5, reason: 'Paid twice' },
    });
    expect(codeOf((await correct({ amount: -6 })).body)).toBe('credits.belowZero');
    expect((await correct({ amount: -4, reason: 'One too many' })).body).toMatchObject({
      balance: 1,
    });
    const letter = await market.mails.lastTo(member.email);
    expect(letter.text).toContain(
      'Our team has corrected your credits: −4. Your balance is now 1.',
    );
    for (const json of [
      { amount: 0 },
      { amount: 1.5 },
      { amount: 1_000_000 },
      { reason: ' ' },
      { reason: undefined },
      { userId: '' },
    ])
      expect((await correct(json)).status, JSON.stringify(json)).toBe(400);
    expect((await correct({}, {})).status).toBe(400);
    expect((await correct({ userId: 'nobody' })).status).toBe(404);
    const found = await byAdmin<Awaited<ReturnType<typeof members>>>(
      `members?search=${encodeURIComponent(member.email)}`,
    );
    expect(found.body.members).toMatchObject([{ userId: member.userId, balance: 1 }]);
    const number = found.body.members[0]?.number;
    const ledger = await byAdmin<Awaited<ReturnType<typeof memberLedger>>>(`members/${number}`);
    expect(ledger.body).toMatchObject({
      balance: 1,
      name: 'Member',
      entries: [{ amount: -4, actorId: admin.userId, reason: 'One too many' }, { amount: 5 }],
    });
    expect(ledger.body).toMatchObject({
      whole: true,
      entries: [{ by: admin.name }, { by: admin.name }],
    });
    expect((await byAdmin('members/999999999')).status).toBe(404);
    await expectSoundCredits(market);
    await behindTheTriggers(
      market,
      `update credit_entries set amount = 6 where member = ${number} and serial = 1`,
    );
    expect((await byAdmin(`members/${number}`)).body).toMatchObject({ whole: false });
  });

  test('who corrects a ledger that has grown since it was shown reads so, and nothing is corrected twice', async () => {
    await saveSetting(await market.ctx(admin), 'creditsOnJoining', 3);
    const correct = (seen: number) =>
      byAdmin<ErrorBody>(
        'corrections',
        { userId: member.userId, amount: 5, reason: 'Paid twice', seen },
        key(),
      );
    // Two admins see a member without a ledger, and correct at the same moment.
    const answers = await Promise.all([correct(0), correct(0)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.message).toMatch(
      /^The ledger of this member has a new entry in the meantime\./,
    );
    expect(await balanceOf(market, member)).toBe(8);
    expect((await correct(1)).status).toBe(409);
    expect((await correct(2)).body).toMatchObject({ balance: 13 });
  });
});
