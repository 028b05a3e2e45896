import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import { reportListing } from '../../../api/reports/report.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpSeller, suspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { endOf } from '../../support/listings.ts';
import { approved, live, submitted } from '../../support/products.ts';
import { outcomes, refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { reports } = schema;
const kept = () => market.db.select().from(reports);
const visitor = (id: string = randomUUID(), addressHash = 'address'): Promise<Ctx> =>
  market.ctx(undefined, { client: { visitor: id, addressHash, userAgent: 'Mozilla/5.0' } });

describe('a report', () => {
  test('is kept with reason, note, slot and visitor', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const who = randomUUID();
    expect(
      await reportListing(await visitor(who), id, { reason: 'fraud', note: 'Asked for a deposit' }),
    ).toEqual({ reported: true });
    expect(await kept()).toMatchObject([
      {
        productId: id,
        slotId,
        reason: 'fraud',
        note: 'Asked for a deposit',
        visitor: who,
        createdAt: market.clock.now(),
        resolvedAt: null,
      },
    ]);
  });

  test('of a listing that has ended is kept without a slot', async () => {
    const { id } = await live(market, seller, admin);
    await market.db.transaction(async (tx) => {
      await endOf(tx, id, market.clock.now());
    });
    await reportListing(await visitor(), id, { reason: 'unavailable' });
    expect(await kept()).toMatchObject([{ productId: id, slotId: null, note: null }]);
  });

  test('from zero on is kept without the slot, which is no longer the product’s', async () => {
    const { id, endTime } = await live(market, seller, admin);
    market.clock.set(endTime);
    await reportListing(await visitor(), id, { reason: 'unavailable' });
    expect(await kept()).toMatchObject([{ productId: id, slotId: null }]);
  });

  test('counts once for a visitor, product and reason', async () => {
    const { id } = await live(market, seller, admin);
    const who = await visitor();
    await reportListing(who, id, { reason: 'fraud' });
    await refused(
      reportListing(who, id, { reason: 'fraud', note: 'Again' }),
      'reports.alreadyReported',
    );
    await reportListing(who, id, { reason: 'stolen' });
    await reportListing(await visitor(), id, { reason: 'fraud' });
    expect((await kept()).map((row) => row.reason).sort()).toEqual(['fraud', 'fraud', 'stolen']);
  });

  test('that is sent five times at once is kept once', async () => {
    const { id } = await live(market, seller, admin);
    const who = await visitor();
    expect(
      await outcomes(Array.from({ length: 5 }, () => reportListing(who, id, { reason: 'other' }))),
    ).toEqual(['kept', ...Array(4).fill('reports.alreadyReported')]);
    expect(await kept()).toHaveLength(1);
  });

  test('is limited by address, whoever sends it, and opens again after an hour', async () => {
    const { id } = await live(market, seller, admin);
    for (let n = 0; n < 60; n++)
      await reportListing(await visitor(randomUUID(), 'one town'), id, { reason: 'fraud' });
    await refused(
      reportListing(await visitor(randomUUID(), 'one town'), id, { reason: 'fraud' }),
      'tooManyRequests',
    );
    await reportListing(await visitor(randomUUID(), 'another town'), id, { reason: 'fraud' });
    market.clock.advance({ hours: 1 });
    await reportListing(await visitor(randomUUID(), 'one town'), id, { reason: 'fraud' });
  });

  test('counts against the limit also when it is refused', async () => {
    const who = await visitor();
    for (let n = 0; n < 60; n++)
      await refused(reportListing(who, randomUUID(), { reason: 'fraud' }), 'products.notFound');
    await refused(reportListing(who, randomUUID(), { reason: 'fraud' }), 'tooManyRequests');
  });
});

describe('nothing can be reported', () => {
  const lost = async (id: string) => {
    await refused(reportListing(await visitor(), id, { reason: 'fraud' }), 'products.notFound');
    expect(await kept()).toEqual([]);
  };
  test('that does not exist', () => lost(randomUUID()));
  test('that waits for review', async () => lost((await submitted(market, seller)).id));
  test('that was never public', async () => lost((await approved(market, seller, admin)).id));
  test('of a suspended seller', async () => {
    const person = await signUpSeller(market);
    const { id } = await live(market, person, admin);
    await suspend(market, person);
    await lost(id);
  });
});

describe('the route for reports', () => {
  test('takes a visitor without an account, and knows them again', async () => {
    const { id } = await live(market, seller, admin);
    const as = market.visitor();
    const send = () =>
      market.call(`/api/products/${id}/report`, {
        json: { reason: 'misleading', note: ' The photo <is> another one ' },
        as,
      });
    expect(await send()).toMatchObject({ status: 201, body: { reported: true } });
    expect(await send()).toMatchObject({
      status: 409,
      body: { error: { code: 'reports.alreadyReported' } },
    });
    expect(await kept()).toMatchObject([{ note: 'The photo is another one' }]);
  });

  test.each([
    [{ reason: 'envy' }, 'reason'],
    [{}, 'reason'],
    [{ reason: 'fraud', note: 'x'.repeat(501) }, 'note'],
    [{ reason: 'fraud', visitor: 'me' }, 'visitor'],
  ])('refuses %j', async (json, path) => {
    const { id } = await live(market, seller, admin);
    const answer = await market.call(`/api/products/${id}/report`, { json });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'validation', fields: [{ path }] } },
    });
    expect(await kept()).toEqual([]);
  });
});

describe('the form without a script', () => {
  const send = async (id: string, form: Record<string, string>, as = market.visitor()) => {
    const response = await market.request(`/report/${id}`, {
      form,
      as,
      headers: { cookie: [as.jar.header(), 'language=fr'].filter(Boolean).join('; ') },
    });
    return { status: response.status, to: response.headers.get('location') };
  };

  test('leads back to its page and says that the report was sent', async () => {
    const { id, slotId } = await live(market, seller, admin);
    expect(await send(id, { reason: 'fraud', note: '', slot: String(slotId) })).toEqual({
      status: 303,
      to: `/fr/shop/slot/${slotId}?report=sent`,
    });
    expect(await kept()).toMatchObject([{ reason: 'fraud', note: null }]);
  });

  test('leads back with the reason of a refusal as a code', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const as = market.visitor();
    const form = { reason: 'fraud', slot: String(slotId) };
    await send(id, form, as);
    expect((await send(id, form, as)).to).toBe(`/fr/shop/slot/${slotId}?report=alreadyReported`);
    expect((await send(id, { slot: String(slotId) }, as)).to).toBe(
      `/fr/shop/slot/${slotId}?report=validation`,
    );
    expect((await send(randomUUID(), form, as)).to).toBe(
      `/fr/shop/slot/${slotId}?report=products.notFound`,
    );
  });

  test.each(['55', '0', '//evil.example', '7/../..', ''])(
    'leads home when the slot is %j',
    async (slot) => {
      const { id } = await live(market, seller, admin);
      expect((await send(id, { reason: 'fraud', slot })).to).toBe('/fr?report=sent');
    },
  );
});
