import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openMarket } from '../../api/market.ts';
import { actors, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { live } from '../support/products.ts';

/** What a seller can announce to everybody's open pages (docs/decisions/load-limits.md), at the numbers that hold outside of tests. */
const market = await testApp({ env: { LOAD_LIMITS: '1' } });
const { seller, admin } = await actors(market);
const running = await openMarket({ db: market.db, sql: market.sql, services: market.services, now: market.clock.now });
afterAll(() => running.close());
beforeEach(() => market.reset());

const act = (id: string, name: string, as = seller, language: 'en' | 'fr' = 'en') =>
  market.call(`/api/products/${id}/${name}`, { method: 'POST', as, language });

describe('a seller who withdraws and lists again without end', () => {
  test('wakes the open pages a bounded number of times', async () => {
    const { id } = await live(market, seller, admin);
    const heard: string[] = [];
    const stop = running.live.subscribe(({ kind }) => kind === 'product' && heard.push(kind));
    const outcomes: number[] = [];
    for (let n = 0; n < 200; n++) {
      outcomes.push((await act(id, 'withdraw')).status);
      outcomes.push((await act(id, 'relist')).status);
    }
    stop();
    expect(outcomes.filter((status) => status === 200)).toHaveLength(60);
    expect(outcomes.filter((status) => status === 429)).toHaveLength(340);
    expect(heard.length).toBeLessThanOrEqual(60);
  });

  test('is told in the own language when to try again, and can then', async () => {
    const { id } = await live(market, seller, admin);
    for (let n = 0; n < 30; n++) for (const name of ['withdraw', 'relist']) await act(id, name);
    market.clock.advance({ minutes: 40 });
    const { status, headers, body } = await act(id, 'withdraw', seller, 'fr');
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([429, '1200', 'sellers.changedOften']);
    expect(body.error.message).toContain('20 min');
    market.clock.advance({ minutes: 20 });
    expect((await act(id, 'withdraw')).status).toBe(200);
  });

  test('takes nothing from another seller', async () => {
    const { id } = await live(market, seller, admin);
    for (let n = 0; n < 31; n++) for (const name of ['withdraw', 'relist']) await act(id, name);
    const other = await signUpSeller(market);
    const { id: theirs } = await live(market, other, admin);
    expect((await act(theirs, 'sold', other)).status).toBe(200);
  });
});
