import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '../../../api/ops/env.ts';
import { createLog } from '../../../api/ops/log.ts';
import { askAgain } from '../../../api/payments/askAgain.ts';
import { closePurchase } from '../../../api/payments/closePurchase.ts';
import { feeForm } from '../../../api/payments/feeForm.ts';
import { hearCallback } from '../../../api/payments/hearCallback.ts';
import { liveBase } from '../../../api/payments/pawapay/adapter.ts';
import { askedAnHour } from '../../../api/payments/payers.ts';
import { ownPurchase } from '../../../api/payments/reads.ts';
import { createServices } from '../../../api/services.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { typed } from '../../../api/shared/commands.ts';
import { productCode } from '../../../api/shared/slugs/productCode.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { expectSoundCredits } from '../../support/credits.ts';
import { submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { chatting } from '../../support/talk.ts';
import { mtn, openMobileMoney } from './mobileMoney.ts';

/** Mobile money by pawaPay, against the provider that moves no money (dev/money). */
const market = await testApp();
const { member, seller, admin } = await actors(market);
const money = await openMobileMoney(market, member);
const { sim, adapter, path, token, only, balance, buy, sweep, settled } = money;
const { answers, warnings } = money;
afterAll(sim.close);
beforeEach(money.reset);

describe('a purchase by mobile money', () => {
  test('asks the payer once, in francs, and is credited when the signed callback came', async () => {
    const { id } = await buy();
    expect(sim.deposits.get(id)).toMatchObject({
      ...{ amount: '6055', currency: 'XAF', phoneNumber: '237677123456' },
      provider: 'MTN_MOMO_CMR',
    });
    expect(await only()).toMatchObject({ status: 'pending', network: 'mtn_momo', testMode: true });
    answers.length = 0;
    await sim.finish(id);
    expect([answers, await settled()]).toEqual([[202], ['completed', 25]]);
    expect((await only())?.paymentReference).toBe(`sim-${id.slice(0, 8)}`);
    // The number is forgotten.
    expect(await market.db.$count(schema.payers)).toBe(0);
    await expectSoundCredits(market);
  });

  test('keeps the number sealed while it waits', async () => {
    await buy();
    const rows = await market.db.select().from(schema.payers);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify([rows, await market.db.select().from(schema.purchases)])).not.toContain(
      '677123456',
    );
  });

  test('charges a phone once, from two taps with different keys', async () => {
    const before = sim.deposits.size;
    const [one, two] = [await buy(), await buy()];
    expect([two.id, sim.deposits.size - before]).toEqual([one.id, 1]);
    expect(await market.db.$count(schema.purchases)).toBe(1);
  });

  test('is refused without a number, with one of no network, and without a rate', async () => {
    await refused(buy({}), 'payments.numberMissing');
    await refused(buy({ phone: '+237620000000' }), 'payments.networkUnknown');
    await writeSetting(market.job('x'), 'xafPerUsd', 0);
    await refused(buy(), 'payments.rateMissing');
    expect(await market.db.$count(schema.purchases)).toBe(0);
  });

  test('takes the network that the payer chose, and the one that is predicted', async () => {
    const chosen = await buy({ phone: '+237699123456', network: 'mtn_momo' });
    expect(sim.deposits.get(chosen.id)?.provider).toBe('MTN_MOMO_CMR');
    await sim.finish(chosen.id);
    const predicted = await buy({ phone: '+237699123456' });
    expect(sim.deposits.get(predicted.id)?.provider).toBe('ORANGE_CMR');
  });

  test.each([
    ['PAYMENT_NOT_APPROVED', 'declined'],
    ['INSUFFICIENT_BALANCE', 'noFunds'],
    ['PAYER_LIMIT_REACHED', 'limit'],
    ['PAYER_NOT_FOUND', 'noWallet'],
    ['PAYMENT_IN_PROGRESS', 'busy'],
    ['PROVIDER_TEMPORARILY_UNAVAILABLE', 'away'],
    ['UNSPECIFIED_FAILURE', 'other'],
    ['A_CODE_OF_TOMORROW', 'other'],
    ['constructor', 'other'],
  ] as const)('says what %s means', async (failureCode, failure) => {
    const { id } = await buy();
    await sim.finish(id, { failureCode });
    expect(await only()).toMatchObject({ status: 'failed', failure });
    const { text } = await market.mails.lastTo(member.email);
    expect(text).toMatch(/Reason: \w/);
    expect(await balance()).toBe(0);
  });
});

describe('a provider that misbehaves', () => {
  test('twice: credits once', async () => {
    sim.misbehave('twice');
    const { id } = await buy();
    await sim.finish(id);
    await sweep();
    expect(await settled()).toEqual(['completed', 25]);
  });

  test('out of order: the truth is asked, whatever a callback says', async () => {
    sim.misbehave('outOfOrder');
    const { id } = await buy();
    await sim.finish(id);
    expect(await settled()).toEqual(['completed', 25]);
  });

  test('forged: nothing is asked', async () => {
    sim.misbehave('forged');
    const { id } = await buy();
    expect(sim.deposits.get(id)?.asked).toBe(0);
    expect(await settled()).toEqual(['pending', 0]);
  });

  test.each(['wrongAmount', 'wrongCurrency'] as const)(
    '%s: nothing is credited, and a person hears of it',
    async (fault) => {
      sim.misbehave(fault);
      const { id } = await buy();
      await sim.finish(id);
      expect(await only()).toMatchObject({ status: 'failed', failure: 'mismatch' });
      expect([await balance(), warnings]).toEqual([0, ['A payment differs from its price']]);
    },
  );

  test.each(['error500', 'timeout', 'acceptanceLost'] as const)(
    '%s: the payment is begun again under the same id, and charged once',
    async (fault) => {
      sim.misbehave(fault);
      const { id } = await buy();
      expect(await only()).toMatchObject({ status: 'pending' });
      await sweep(40);
      expect(sim.deposits.get(id)?.status).toBe('ACCEPTED');
      await sim.finish(id);
      await sweep();
      expect(await settled()).toEqual(['completed', 25]);
    },
  );

  test('404 after acceptance: is asked again', async () => {
    sim.misbehave('notFound');
    const { id } = await buy();
    await sweep();
    expect(await settled()).toEqual(['pending', 0]);
    await sim.finish(id);
    expect(await settled()).toEqual(['completed', 25]);
  });

  test('no callback: the sweep finds the money', async () => {
    sim.misbehave('noCallback');
    const { id } = await buy();
    await sim.finish(id);
    expect(await settled()).toEqual(['pending', 0]);
    await sweep();
    expect(await settled()).toEqual(['completed', 25]);
  });

  test('a callback before the answer: credits once', async () => {
    sim.misbehave('callbackFirst');
    await buy();
    await sweep();
    expect(await settled()).toEqual(['completed', 25]);
  });

  test('stuck for ever: expires, is asked about for a day, and no longer counts', async () => {
    sim.misbehave('stuck');
    const { id } = await buy();
    await sweep(16 * 60);
    expect(await only()).toMatchObject({ status: 'expired' });
    for (let hour = 0; hour < 30; hour++) await sweep(3600);
    const { asked = 0 } = sim.deposits.get(id) ?? {};
    expect(asked).toBeGreaterThan(20);
    await sweep(3600);
    expect(sim.deposits.get(id)?.asked).toBe(asked);
  });

  test('success after expiry, without a callback: is found within the hour', async () => {
    sim.misbehave('noCallback');
    const { id } = await buy();
    await sweep(16 * 60);
    await sim.finish(id);
    await sweep(3600);
    expect(await settled()).toEqual(['completed', 25]);
    await expectSoundCredits(market);
  });

  test('success after it said no: is credited when asked again', async () => {
    const { id } = await buy();
    await sim.finish(id, { failureCode: 'UNSPECIFIED_FAILURE' });
    await sim.finish(id);
    expect(await settled()).toEqual(['completed', 25]);
    expect((await askAgain(await market.ctx(admin), id)).status).toBe('completed');
  });

  test('rejected: says why, and the next one is asked anew', async () => {
    sim.misbehave('rejected');
    await refused(buy(), 'payments.failed');
    expect(await only()).toMatchObject({ status: 'failed', failure: 'noWallet' });
    market.clock.advance({ seconds: 1 });
    const { id } = await buy();
    await sim.finish(id);
    expect(await settled()).toEqual(['completed', 25]);
  });

  test('success after it said no, or after an admin ended it, without a callback: is found', async () => {
    sim.misbehave('noCallback');
    const { id } = await buy();
    await closePurchase(await market.ctx(admin), id, { outcome: 'failed', reason: 'As asked' });
    await sim.finish(id);
    await sweep(3600);
    expect(await settled()).toEqual(['completed', 25]);
  });

  test('one that an admin ends is never begun by that', async () => {
    sim.misbehave('error500');
    const { id } = await buy();
    await closePurchase(await market.ctx(admin), id, { outcome: 'failed', reason: 'As asked' });
    await sweep(3600);
    expect([sim.deposits.has(id), await settled()]).toEqual([false, ['failed', 0]]);
  });

  test('no phone is asked too often, whoever asks', async () => {
    for (let time = 0; time < askedAnHour; time++) {
      const { id } = await buy();
      await sim.finish(id, { failureCode: 'PAYMENT_NOT_APPROVED' });
      market.clock.advance({ seconds: 5 });
    }
    await refused(buy(), 'payments.askedTooOften');
    expect((await buy({ phone: '+237677123457' })).status).toBe('pending');
  });

  test('gone, or silent for ever: the payment expires, and another can begin', async () => {
    const { id } = await buy();
    market.services.payments = [];
    await sweep(16 * 60);
    expect(await only()).toMatchObject({ id, status: 'expired' });
    market.services.payments = [adapter('http://127.0.0.1:9')];
    const silent = await buy({ phone: mtn, network: 'mtn_momo' });
    await sweep(16 * 60);
    expect((await only())?.status).toBe('expired');
    market.services.payments = [adapter()];
    expect((await buy()).id).not.toBe(silent.id);
  });

  test('one that ended is asked about each hour for a day, also where nobody answers', async () => {
    await buy();
    market.services.payments = [adapter('http://127.0.0.1:9')];
    await sweep(16 * 60);
    expect((await only())?.status).toBe('expired');
    const asked = [];
    for (const minutes of [1, 60, 1, 1]) asked.push(await sweep(minutes * 60));
    // Gone for good: asked once more, then never.
    market.services.payments = [];
    for (const minutes of [60, 1, 60, 24 * 60]) asked.push(await sweep(minutes * 60));
    expect(asked.map((each) => each.asked)).toEqual([0, 1, 0, 0, 1, 0, 0, 0]);
  });

  test('two networks may give one number to two payments', async () => {
    const one = await buy({ phone: mtn });
    await sim.finish(one.id);
    const { id } = await buy({ phone: '+237699123456' });
    const deposit = sim.deposits.get(id);
    const providerTransactionId = sim.deposits.get(one.id)?.providerTransactionId ?? '';
    if (deposit) Object.assign(deposit, { status: 'COMPLETED', providerTransactionId });
    await sweep();
    expect(await balance()).toBe(50);
  });

  test('a token that is refused fails the payment, and a person hears of it', async () => {
    market.services.payments = [adapter(sim.url, 'another-token-altogether')];
    await refused(buy({ phone: mtn, network: 'mtn_momo' }), 'payments.failed');
    expect(warnings).toEqual(['pawaPay refused a request']);
  });
});

describe('a callback', () => {
  const hear = async (body: string, headers: Record<string, string> = {}) =>
    hearCallback(await market.ctx(), 'pawapay-test', body, new Headers(headers));

  test('without a signature, of nobody’s payment, or with another body changes and asks nothing', async () => {
    const { id } = await buy();
    await hear(JSON.stringify({ depositId: id, status: 'COMPLETED' }));
    await hear('{', { 'content-digest': 'sha-512=:x:' });
    const known = sim.deposits.get(id);
    if (known) await sim.call({ ...known, depositId: randomUUID(), status: 'COMPLETED' });
    expect([await settled(), known?.asked]).toEqual([['pending', 0], 0]);
  });

  test('of 10 MB is refused before it is read', async () => {
    const { status } = await market.request(path, {
      method: 'POST',
      body: 'x'.repeat(10_000_000),
    });
    expect(status).toBe(413);
  });
});

test('no message of the provider leaves a number, a token or a signature in the log', async () => {
  const { id } = await buy();
  await sim.finish(id);
  const lines: string[] = [];
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) });
  expect(sim.traffic.length).toBeGreaterThan(100);
  for (const { path, headers, body } of sim.traffic) {
    const parsed = body?.startsWith('{') ? JSON.parse(body) : body;
    log.debug(`${path} ${body}`, { headers, body, parsed });
  }
  const written = lines.join('\n');
  const signatures = sim.traffic.flatMap(({ headers }) => headers.Signature ?? []);
  expect(signatures.length).toBeGreaterThan(0);
  for (const secret of [
    ...['677123456', '77123456', '699123456', '620000000', token],
    ...signatures.flatMap((one) => one.match(/[\w+/=]{40,}/g) ?? []),
  ])
    expect(written).not.toContain(secret);
  // Ids and prices stay.
  expect(written).toContain(id);
  expect(written).toContain('6055');
});

describe('a fee', () => {
  const send = async (fields: Record<string, string>) => {
    const { feeReference: reference = '' } = await submitted(market, seller);
    const { headers } = await market.request('/pay/fee?language=en', {
      as: seller,
      form: { reference: reference ?? '', key: randomUUID(), ...fields },
    });
    return { reference, to: new URL(headers.get('location') ?? '', market.env.publicUrl) };
  };
  const shown = async ({ reference, to }: Awaited<ReturnType<typeof send>>) =>
    feeForm(await market.ctx(seller), reference ?? '', to.searchParams.get('kept') ?? undefined);

  test.each([
    ['62000', '', 'payments.numberMissing'],
    ['6 20 00 00 00', '', 'payments.networkUnknown'],
  ])('of the number %s goes back with what was typed', async (phone, network, said) => {
    const refusal = await send({ phone, network });
    expect([refusal.to.pathname, refusal.to.searchParams.get('said')]).toEqual(['/en/pay', said]);
    expect(refusal.to.search).not.toContain(phone.replaceAll(' ', ''));
    expect((await shown(refusal)).phone).toBe(phone);
    expect(await market.db.$count(schema.purchases)).toBe(0);
  });

  test('is asked of the number, and paid', async () => {
    const { to } = await send({ phone: '6 77 12 34 56', network: '' });
    const id = to.pathname.split('/').at(-1) ?? '';
    expect(sim.deposits.get(id)).toMatchObject({ amount: '3000', provider: 'MTN_MOMO_CMR' });
    await sim.finish(id);
    expect((await ownPurchase(await market.ctx(seller), id)).status).toBe('completed');
  });

  test('in the chat is asked of the seller’s number or the one that was written, by the sweep', async () => {
    const { id } = await submitted(market, seller);
    const chat = await chatting(market, { person: seller, language: 'en' });
    const words = typed('en', 'payFee', productCode(id));
    const [bad] = await chat.say(`${words} 12`);
    expect(bad?.text).toMatch(/Which Mobile Money number/);
    const [told] = await chat.say(`${words} 699 12 34 56`);
    expect(told?.text).toContain('+237 699 12 34 56');
    // The answer names no phone that is not asked.
    const [again] = await chat.say(`${words} 677 12 34 56`);
    expect(again?.text).toMatch(/under way already/);
    expect(again?.text).not.toContain('677');
    const before = sim.deposits.size;
    await sweep();
    expect(sim.deposits.size).toBe(before + 1);
    expect([...sim.deposits.values()].at(-1)).toMatchObject({
      phoneNumber: '237699123456',
      provider: 'ORANGE_CMR',
    });
  });

  test('has its network named before it is sent', async () => {
    const network = async (number: string) =>
      (await market.call('/api/payments/network', { as: seller, json: { number } })).body;
    expect(await network('6 77 12 34 56')).toEqual({ network: 'mtn_momo' });
    expect(await network('620000000')).toEqual({ network: null });
  });
});

test('what was paid in test mode stays test mode when the market goes live', async () => {
  const { id } = await buy();
  await sim.finish(id);
  market.services.payments = [adapter(liveBase)];
  expect(await only()).toMatchObject({ testMode: true, givesBack: false });
  expect((await only())?.receipts).toMatchObject([{ name: 'TR-000001' }]);
});

test('any base but the live one is test mode, and production refuses one of this machine', () => {
  expect([adapter().testMode, adapter(liveBase).testMode]).toEqual([true, false]);
  const given = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://localhost/x',
    SMTP_URL: 'smtp://localhost:25',
    PUBLIC_URL: 'https://market.test',
    PAWAPAY_TOKEN: 'a-token-of-an-account',
  };
  const namesOf = (env: Record<string, string>) =>
    createServices(readEnv(env), 'x'.repeat(40)).payments.map(({ name }) => name);
  expect(namesOf(given)).toEqual(['pawapay', 'cash']);
  expect(namesOf({ ...given, PAWAPAY_BASE: 'https://api.sandbox.pawapay.io/' })).toEqual([
    'pawapay-test',
    'cash',
  ]);
  expect(namesOf({ PAWAPAY_TOKEN: given.PAWAPAY_TOKEN })).toEqual(['pawapay', 'simulation']);
  for (const base of [
    ...['http://api.pawapay.io', 'https://localhost', 'https://127.0.0.1:8', 'https://[::1]'],
    'https://sim.localhost',
  ])
    expect(() => readEnv({ ...given, PAWAPAY_BASE: base }), base).toThrow(/PAWAPAY_BASE/);
  expect(readEnv({ ...given, PAWAPAY_BASE: 'https://api.sandbox.pawapay.io' }).PAWAPAY_BASE).toBe(
    'https://api.sandbox.pawapay.io',
  );
});
