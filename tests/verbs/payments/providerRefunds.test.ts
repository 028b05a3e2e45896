import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cash } from '../../../api/payments/adapters.ts';
import { buyCredits } from '../../../api/payments/buy.ts';
import { refundPurchase } from '../../../api/payments/refund.ts';
import { refundByProvider } from '../../../api/payments/refundByProvider.ts';
import { settlePurchase } from '../../../api/payments/settle.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { expectSoundCredits } from '../../support/credits.ts';
import { refused } from '../../support/refusals.ts';
import { openMobileMoney } from './mobileMoney.ts';

/** Money that pawaPay gives back, against the provider that moves none (dev/money). */
const market = await testApp();
const { member, admin } = await actors(market);
const money = await openMobileMoney(market, member);
const { sim, adapter, only, balance, buy, sweep, settled } = money;
afterAll(sim.close);
beforeEach(money.reset);

describe('a refund by the provider', () => {
  const order = async (id: string, amount: number, refunded = 0, key: string = randomUUID()) =>
    refundByProvider(
      await market.ctx(admin),
      id,
      { amount, reason: 'Bought twice', refunded },
      key,
    );
  const byHand = async (id: string) =>
    refundPurchase(
      await market.ctx(admin),
      id,
      { amount: 55, reason: 'Bought twice', refunded: 0, reference: 'BACK-1' },
      randomUUID(),
    );
  const paid = async () => {
    const { id } = await buy();
    await sim.finish(id);
    return id;
  };
  const newest = () => [...sim.refunds.values()].at(-1);
  const lineOf = async () => (await only())?.refunds[0];

  test('takes the credits back once the money was given, in parts or whole', async () => {
    const id = await paid();
    await order(id, 1211);
    expect(newest()).toMatchObject({ depositId: id, amount: '1211', currency: 'XAF' });
    expect([await lineOf(), await balance()]).toMatchObject([{ status: 'pending' }, 25]);
    sim.giveBack(newest()?.refundId ?? '');
    await sweep();
    expect([await lineOf(), await settled()]).toMatchObject([
      { status: 'completed', creditsTaken: 5 },
      ['partly_refunded', 20],
    ]);
    await order(id, 4844, 1211);
    sim.giveBack(newest()?.refundId ?? '');
    await sweep();
    expect(await settled()).toEqual(['refunded', 0]);
    await expectSoundCredits(market);
    expect(await actionsOf()).toEqual(
      expect.arrayContaining(['purchase.refundOrder', 'purchase.refund']),
    );
  });

  test('is one at a time, by a repeated key, by two admins, and beside one by hand', async () => {
    const id = await paid();
    const [before, key] = [sim.refunds.size, randomUUID()];
    await order(id, 55, 0, key);
    await order(id, 55, 0, key);
    await refused(order(id, 55), 'conflict');
    await refused(byHand(id), 'conflict');
    expect(sim.refunds.size - before).toBe(1);
    sim.giveBack(newest()?.refundId ?? '');
    await sweep();
    await refused(byHand(id), 'conflict');
    expect(await market.db.$count(schema.refunds)).toBe(1);
  });

  test('that is not answered for a day, or whose provider is gone, leaves the way by hand', async () => {
    const id = await paid();
    market.services.payments = [adapter(sim.url, 'another-token-altogether')];
    await order(id, 55);
    await sweep(3600);
    expect(await lineOf()).toMatchObject({ status: 'pending' });
    await sweep(25 * 3600);
    expect(await lineOf()).toMatchObject({ status: 'failed', failure: 'NO_ANSWER' });
    market.services.payments = [adapter()];
    await order(id, 55);
    market.services.payments = [];
    await sweep(60);
    expect((await only())?.refunds.at(-1)).toMatchObject({ failure: 'NO_PROVIDER' });
    await byHand(id);
    expect((await only())?.status).toBe('partly_refunded');
  });

  test('that fails changes nothing, and leaves the way by hand', async () => {
    const id = await paid();
    await order(id, 55);
    sim.giveBack(newest()?.refundId ?? '', 'RECIPIENT_NOT_FOUND');
    await sweep();
    expect([await lineOf(), await settled()]).toMatchObject([
      { status: 'failed', failure: 'RECIPIENT_NOT_FOUND' },
      ['completed', 25],
    ]);
    await byHand(id);
    expect((await only())?.status).toBe('partly_refunded');
    await expectSoundCredits(market);
  });

  test.each(['error500', 'acceptanceLost'] as const)(
    '%s: is begun again under the same id, and given once',
    async (fault) => {
      const id = await paid();
      sim.misbehave(fault);
      const before = sim.refunds.size;
      await order(id, 6055);
      await sweep(40);
      expect(sim.refunds.size - before).toBe(1);
      sim.giveBack(newest()?.refundId ?? '');
      await sweep(40);
      expect(await settled()).toEqual(['refunded', 0]);
    },
  );

  test('is refused for cash, for what is not paid, and for more than was paid', async () => {
    const { id } = await buy();
    await refused(order(id, 55), 'payments.notPaid');
    await sim.finish(id);
    await refused(order(id, 6056), 'payments.refundTooLarge');
    market.services.payments = [...market.services.payments, cash];
    const bought = await buyCredits(await market.ctx(member), 'cash_partner', randomUUID());
    await settlePurchase(await market.ctx(admin), bought.id, 'RCT-1');
    await refused(order(bought.id, 55), 'payments.refundByHand');
  });
});
const actionsOf = async () =>
  (await market.db.select().from(schema.auditLog)).map(({ action }) => action);
