import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { reject } from '../../api/products/review/reject.ts';
import { schema } from '../../db/client.ts';
import { actors, signUpSeller, suspend } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { approved, live, runQueue, submitted } from '../support/products.ts';

/**
 * product R22: only the contact call returns a number. Plants numbers everywhere and reads every
 * public answer.
 */
const market = await testApp();
const { seller, otherSeller, admin, member } = await actors(market);
const planted: string[] = [];
const plant = (number: string) => {
  planted.push(number);
  return { sellerWhatsapp: number };
};
let slotIds: number[] = [];
let productIds: string[] = [];

beforeAll(async () => {
  planted.push(seller.whatsapp, otherSeller.whatsapp);
  const ended = await live(market, seller, admin, { ...plant('+237671000001'), durationHours: 24 });
  market.clock.advance({ hours: 24 });
  await runQueue(market);
  const here = await live(market, seller, admin, plant('+237672000002'));
  const premium = await live(market, otherSeller, admin, {
    ...plant('+237673000003'),
    listingType: 'featured',
  });
  const paused = await live(market, seller, admin, plant('+237674000004'));
  await market.db
    .update(schema.slots)
    .set({ pausedAt: market.clock.now(), pausedBy: 'admin', remainingDuration: 60 })
    .where(eq(schema.slots.id, paused.slotId));
  const barred = await signUpSeller(market, { whatsapp: '+237675000005' });
  const suspended = await live(market, barred, admin, plant('+237676000006'));
  await suspend(market, barred);
  const own = await live(market, otherSeller, admin);
  await market.db
    .update(schema.products)
    .set({ sellerWhatsapp: null })
    .where(eq(schema.products.id, own.id));
  const queued = await approved(market, seller, admin, plant('+237677000007'));
  const pending = await submitted(market, seller, plant('+237678000008'));
  const rejected = await submitted(market, seller, plant('+237679000009'));
  await reject(await market.ctx(admin), rejected.id, 'No');
  planted.push(barred.whatsapp);
  slotIds = [here, premium, paused, suspended, own].map((place) => place.slotId);
  productIds = [ended, here, premium, paused, suspended, own, queued, pending, rejected].map(
    (product) => product.id,
  );
});

/** Spellings of a number: with or without country code, grouped, encoded. */
function* writings(number: string): Generator<RegExp> {
  const national = number.slice(-9);
  yield new RegExp([...national].join('(?:[\\s().\\-_/]|%20|&nbsp;|\\\\u00a0|\\u00a0|\\u202f)*'));
  for (const text of [number, national, number.slice(1)]) {
    for (const shift of [0, 1, 2])
      yield new RegExp(
        Buffer.from(' '.repeat(shift) + text)
          .toString('base64')
          .slice(shift + 1, -4)
          .replaceAll(/[+/]/g, '\\$&'),
      );
  }
}
const leaks = (text: string): string[] =>
  planted.filter((number) => [...writings(number)].some((pattern) => pattern.test(text)));

async function everything(response: Response): Promise<string> {
  return `${[...response.headers].map((pair) => pair.join(': ')).join('\n')}\n${await response.text()}`;
}

test('the search itself finds a number however it is written', () => {
  const number = seller.whatsapp;
  const national = number.slice(4);
  const grouped = `${national.slice(0, 3)} ${national.slice(3, 5)} ${national.slice(5, 7)} ${national.slice(7)}`;
  for (const text of [
    number,
    national,
    grouped,
    grouped.replaceAll(' ', '.'),
    grouped.replaceAll(' ', '-'),
    `(${grouped})`,
    `wa.me/${number.slice(1)}`,
    Buffer.from(number).toString('base64'),
    Buffer.from(`x${number}`).toString('base64'),
  ]) {
    expect(leaks(`…${text}…`), text).toContain(number);
  }
  expect(
    leaks('"2026-11-23T08:00:00.000Z","price":65000,"id":"3f9c1d2e-0000-4000-8000-000000000000"'),
  ).toEqual([]);
});

describe('no public answer holds a number', () => {
  const routes = [
    ...new Set(
      market.app.routes.filter((entry) => entry.method === 'GET').map((entry) => entry.path),
    ),
  ];
  const fill = (path: string) => {
    if (path.includes(':slotId'))
      return Array.from({ length: 55 }, (_, n) => path.replace(':slotId', String(n)));
    if (path.includes(':id'))
      return [...productIds, randomUUID()].map((id) => path.replace(':id', id));
    return [path];
  };

  for (const path of routes) {
    test(`of GET ${path}`, async () => {
      for (const as of [market.visitor(), member]) {
        for (const language of ['en', 'fr'] as const) {
          for (const address of fill(path))
            expect(
              leaks(await everything(await market.request(address, { as, language }))),
              address,
            ).toEqual([]);
        }
      }
    });
  }

  test('of /api/slots, although the products are there', async () => {
    const { body } = await market.call<{ slots: { product_id: string | null }[] }>('/api/slots');
    // One is paused by hand, one by its seller's suspension.
    expect(body.slots.filter((slot) => slot.product_id).length).toBe(slotIds.length - 2);
  });

  test('of another seller: own products show the own profile’s number in /me and nobody else’s', async () => {
    const mine = await everything(await market.request('/api/products/mine', { as: seller }));
    expect(leaks(mine)).toEqual([]);
    const me = await everything(await market.request('/api/auth/me', { as: otherSeller }));
    expect(leaks(me)).toEqual([otherSeller.whatsapp]);
  });

  test('when a contact is refused, in JSON or by form', async () => {
    for (const id of productIds) {
      expect(
        leaks(
          await everything(
            await market.request(`/api/products/${id}/contact`, { json: { consent: false } }),
          ),
        ),
      ).toEqual([]);
      expect(
        leaks(await everything(await market.request(`/contact/${id}`, { form: { slot: '11' } }))),
      ).toEqual([]);
    }
  });

  test('when something breaks in the middle of a contact', async () => {
    await market.sql`alter table contact_requests rename to contact_requests_away`;
    try {
      const response = await market.request(`/api/products/${productIds[1]}/contact`, {
        json: { consent: true },
      });
      expect(response.status).toBe(500);
      expect(leaks(await everything(response))).toEqual([]);
    } finally {
      await market.sql`alter table contact_requests_away rename to contact_requests`;
    }
  });
});

describe('the contact call', () => {
  test('is the one that answers a number, and only the asked one', async () => {
    const visitor = market.visitor();
    // The refusal sets the cookie and asks a question without a number in it.
    const first = await market.request(`/api/products/${productIds[1]}/contact`, {
      json: { consent: true },
      as: visitor,
    });
    expect([first.status, leaks(await everything(first))]).toEqual([429, []]);
    const { status, body } = await market.call<
      { seller_whatsapp: string; link: string; slotId: number }[]
    >(`/api/products/${productIds[1]}/contact`, {
      json: { consent: true },
      as: visitor,
    });
    expect(status).toBe(200);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({ seller_whatsapp: '+237672000002', slotId: slotIds[0] });
    expect(leaks(JSON.stringify(body))).toEqual(['+237672000002']);
  });

  test('leads the form without scripts straight to WhatsApp, in the language of the page', async () => {
    const visitor = market.visitor();
    // Without a cookie the first answer is a question, also without a number.
    const first = await market.request(`/contact/${productIds[2]}`, {
      form: { consent: 'yes', slot: '1' },
      language: 'fr',
      as: visitor,
    });
    expect(first.headers.get('location')).toMatch(/^\/fr\/contact\/question\?token=/);
    expect(leaks(await everything(first))).toEqual([]);
    const response = await market.request(`/contact/${productIds[2]}`, {
      form: { consent: 'yes', slot: '1' },
      language: 'fr',
      as: visitor,
    });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(
      /^https:\/\/wa\.me\/237673000003\?text=Bonjour/,
    );
  });

  test('leads a refused form back to its page with a code and no sentence', async () => {
    const without = await market.request(`/contact/${productIds[2]}`, {
      form: { slot: '1' },
      language: 'fr',
    });
    expect([without.status, without.headers.get('location')]).toEqual([
      303,
      '/fr/shop/slot/1?contact=consentRequired',
    ]);
    const gone = await market.request(`/contact/${productIds[0]}`, {
      form: { consent: 'yes', slot: '11' },
    });
    expect(gone.headers.get('location')).toBe('/en/shop/slot/11?contact=notAvailable');
    const strange = await market.request(`/contact/${productIds[0]}`, {
      form: { consent: 'yes', slot: '//evil.example' },
    });
    expect(strange.status).toBe(404);
  });
});

test('no number has reached the log', () => {
  expect(leaks(JSON.stringify(market.logged))).toEqual([]);
});
