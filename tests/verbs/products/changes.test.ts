import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openMarket } from '../../../api/market.ts';
import { relist } from '../../../api/products/relist.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { actors, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live } from '../../support/products.ts';
import { outcomes } from '../../support/refusals.ts';

/** Change events that a seller can cause on open pages (decision 059), with production limits. */
const market = await testApp({ env: { LOAD_LIMITS: '1' } });
const { seller, admin } = await actors(market);
const running = await openMarket({
  db: market.db,
  sql: market.sql,
  services: market.services,
  now: market.clock.now,
});
afterAll(() => running.close());
beforeEach(() => market.reset());

async function loop(id: string, times: number) {
  const ctx = await market.ctx(seller);
  const done: Promise<unknown>[] = [];
  for (let n = 0; n < times; n++) {
    for (const act of [withdraw, relist]) {
      const one = act(ctx, id);
      done.push(one);
      await one.catch(() => {});
    }
  }
  return outcomes(done);
}

describe('a seller who withdraws and lists again without end', () => {
  test('wakes the open pages a bounded number of times', { timeout: 60_000 }, async () => {
    const { id } = await live(market, seller, admin);
    let heard = 0;
    const stop = running.live.subscribe(({ kind }) => {
      if (kind === 'product') heard++;
    });
    const ends = await loop(id, 200);
    stop();
    const count = (end: string) => ends.filter((one) => one === end).length;
    expect([count('kept'), count('sellers.changedOften')]).toEqual([60, 340]);
    expect(heard).toBeLessThanOrEqual(60);
  });

  test('is told in the own language when to try again, and can then', {
    timeout: 60_000,
  }, async () => {
    const { id } = await live(market, seller, admin);
    await loop(id, 31);
    market.clock.advance({ minutes: 40 });
    const act = () =>
      market.call(`/api/products/${id}/withdraw`, { method: 'POST', as: seller, language: 'fr' });
    const { status, headers, body } = await act();
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([
      429,
      '1200',
      'sellers.changedOften',
    ]);
    expect(body.error.message).toContain('20 min');
    market.clock.advance({ minutes: 20 });
    expect((await act()).status).toBe(200);
  });

  test('takes nothing from another seller', { timeout: 60_000 }, async () => {
    const { id } = await live(market, seller, admin);
    await loop(id, 31);
    const other = await signUpSeller(market);
    const { id: theirs } = await live(market, other, admin);
    expect(
      (await market.call(`/api/products/${theirs}/sold`, { method: 'POST', as: other })).status,
    ).toBe(200);
  });
});
