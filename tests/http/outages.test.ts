import { expect, test } from 'vitest';
import { createApp } from '../../api/app.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { undecided } from '../support/outages.ts';

const market = await testApp();
const { admin } = await actors(market);

test('what is asked for waits until an outage is given back; whether the process lives does not, nor does a page that asks in-process', async () => {
  const ready = Promise.withResolvers<void>();
  let asked = 0;
  const { db, services, clock } = market;
  const { app } = createApp({
    db,
    services,
    now: clock.now,
    settled: () => {
      asked++;
      return ready.promise;
    },
  });
  const ask = async (path: string, env = {}) =>
    (
      await app.fetch(new Request(new URL(path, market.env.publicUrl)), {
        address: '10.0.0.1',
        ...env,
      })
    ).status;
  expect(await ask('/healthz')).toBe(200);
  expect(await ask('/api/slots', { ctx: await market.ctx() })).toBe(200);
  expect(asked).toBe(0);
  let answered = false;
  const slots = ask('/api/slots').finally(() => {
    answered = true;
  });
  await market.sql`select 1`;
  expect([asked, answered]).toEqual([1, false]);
  ready.resolve();
  expect(await slots).toBe(200);
});

test('an admin reads the last outages, in both languages, and decides on what is left of one, once', async () => {
  const id = await undecided(market);
  const read = async (language: 'en' | 'fr') =>
    (await market.call<{ outages: unknown[] }>('/api/admin/outages', { as: admin, language })).body
      .outages;
  const until = market.clock.now().toISOString();
  expect(await read('en')).toEqual([
    {
      id,
      decision: 'waiting',
      listings: 0,
      from: '2026-11-13T08:00:00.000Z',
      until,
      given: '7 days',
      rest: '3 days',
    },
  ]);
  expect(await read('fr')).toMatchObject([{ given: '7 jours', rest: '3 jours' }]);
  const decide = (giveBack: unknown, which: unknown = id) =>
    market.call(`/api/admin/outages/${which}`, { json: { giveBack }, as: admin });
  expect((await decide('yes')).status).toBe(400);
  expect((await decide(true, 'x')).status).toBe(400);
  expect((await decide(true, 999)).status).toBe(404);
  expect(await decide(true)).toMatchObject({
    status: 200,
    body: { id, decision: 'given', listings: 0 },
  });
  expect((await decide(false)).status).toBe(409);
  expect(await read('en')).toMatchObject([{ id, decision: 'given' }]);
});
