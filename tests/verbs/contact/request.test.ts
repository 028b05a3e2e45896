import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkContactLimit, requestContact } from '../../../api/contact/request.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { productCode } from '../../../api/shared/slugs/productCode.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpSeller, suspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { chatOf } from '../../support/chat.ts';
import { approved, live, productRow, submitted } from '../../support/products.ts';
import { outcomes, refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { contactRequests, engagementEvents, products, slots } = schema;
const requests = () => market.db.select().from(contactRequests);
const events = () => market.db.select().from(engagementEvents);

/** The same id makes the same visitor. */
const visitor = (
  id: string = randomUUID(),
  addressHash = 'address',
  db = market.db,
): Promise<Ctx> =>
  market.ctx(undefined, { db, client: { visitor: id, addressHash, userAgent: 'Mozilla/5.0' } });
const tap = async (productId: string, ctx?: Ctx) =>
  requestContact(ctx ?? (await visitor()), productId, true);

describe('a contact request', () => {
  test('answers the number and a link with a greeting that names product and slot', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const answer = await tap(id);
    expect(answer).toMatchObject({ seller_whatsapp: seller.whatsapp, slotId });
    const link = new URL(answer.link);
    expect(`${link.origin}${link.pathname}`).toBe(`https://wa.me/${seller.whatsapp.slice(1)}`);
    expect(link.searchParams.get('text')).toBe(
      'Hello, I am interested in “Samsung Galaxy A14” (slot #11) on Marché 54. Is it still available?',
    );
  });

  test('greets in the language of the page', async () => {
    const { id } = await live(market, seller, admin);
    const { link } = await tap(id, { ...(await visitor()), language: 'fr' });
    expect(new URL(link).searchParams.get('text')).toMatch(
      /^Bonjour.*Samsung Galaxy A14, comme neuf.*#11/,
    );
  });

  test('is recorded with its messageTap in one go', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const who = randomUUID();
    await tap(id, await visitor(who));
    expect(await requests()).toMatchObject([
      { visitor: who, addressHash: 'address', productId: id, requestedAt: market.clock.now() },
    ]);
    expect(await events()).toMatchObject([
      { type: 'messageTap', slotId, productId: id, visitor: who, occurredAt: market.clock.now() },
    ]);
  });

  test('finds the product by the eight digits that its stall carries, and is recorded with its whole id', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await live(market, otherSeller, admin);
    expect(await tap(productCode(id))).toMatchObject({ seller_whatsapp: seller.whatsapp, slotId });
    expect(await requests()).toMatchObject([{ productId: id }]);
    expect(await events()).toMatchObject([{ productId: id, slotId }]);
  });

  test('never leads to a wrong seller where two stalls have the same eight digits', async () => {
    const { id } = await live(market, seller, admin);
    const other = await live(market, otherSeller, admin);
    const row = await productRow(market, other.id);
    const twin = `${productCode(id)}-0000-4000-8000-000000000000`;
    await market.db.transaction(async (tx) => {
      await tx.insert(products).values({ ...row, id: twin, slug: `${row.slug}-twin` });
      await tx
        .update(schema.listings)
        .set({ productId: twin })
        .where(eq(schema.listings.productId, other.id));
      await tx.update(slots).set({ productId: twin }).where(eq(slots.id, other.slotId));
      await tx.delete(products).where(eq(products.id, other.id));
    });
    await refused(tap(productCode(id)), 'contact.notAvailable');
    expect(await tap(id)).toMatchObject({ seller_whatsapp: seller.whatsapp });
    expect(await tap(twin)).toMatchObject({ seller_whatsapp: otherSeller.whatsapp });
  });

  test('without consent is refused and leaves no trace', async () => {
    const { id } = await live(market, seller, admin);
    await refused(requestContact(await visitor(), id, false), 'contact.consentRequired');
    expect([...(await requests()), ...(await events())]).toEqual([]);
  });

  test('takes the seller’s own number when the product has none', async () => {
    const { id } = await live(market, seller, admin);
    await market.db.update(products).set({ sellerWhatsapp: null }).where(eq(products.id, id));
    expect((await tap(id)).seller_whatsapp).toBe(seller.whatsapp);
  });
});

describe('a contact request that breaks', () => {
  test('says that the number could not be read, and leaves no trace', async () => {
    const { id } = await live(market, seller, admin);
    await market.sql`alter table sellers rename to sellers_away`;
    try {
      await refused(tap(id), 'contact.lookupFailed');
    } finally {
      await market.sql`alter table sellers_away rename to sellers`;
    }
    expect([...(await requests()), ...(await events())]).toEqual([]);
  });

  test('says that it failed when it cannot be recorded: no number without its record', async () => {
    const { id } = await live(market, seller, admin);
    const ctx = await visitor();
    await market.sql`alter table engagement_events rename to engagement_events_away`;
    try {
      await refused(tap(id, ctx), 'contact.failed');
    } finally {
      await market.sql`alter table engagement_events_away rename to engagement_events`;
    }
    expect([...(await requests()), ...(await events())]).toEqual([]);
  });
});

describe('a seller cannot be contacted about a product', () => {
  const unavailable = async (id: string) => {
    await refused(tap(id), 'contact.notAvailable');
    expect([...(await requests()), ...(await events())]).toEqual([]);
  };

  test('that does not exist', () => unavailable(randomUUID()));
  test('that waits for review', async () => unavailable((await submitted(market, seller)).id));
  test('that waits in the queue', async () =>
    unavailable((await approved(market, seller, admin)).id));

  test('from zero, before the next run frees the slot (product R3)', async () => {
    const { id, endTime } = await live(market, seller, admin);
    market.clock.set(new Date(endTime.getTime() - 1));
    await tap(id);
    market.clock.set(endTime);
    await refused(tap(id), 'contact.notAvailable');
  });

  test('whose slot is paused', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await market.db
      .update(slots)
      .set({ pausedAt: market.clock.now(), pausedBy: 'admin', remainingDuration: 60 })
      .where(eq(slots.id, slotId));
    await unavailable(id);
  });

  test('of a suspended seller, from the very next request', async () => {
    const person = await signUpSeller(market);
    const { id } = await live(market, person, admin);
    await tap(id);
    await suspend(market, person);
    await refused(tap(id), 'contact.notAvailable');
  });

  test('of a suspended seller, even where the slot was not paused with it', async () => {
    const person = await signUpSeller(market);
    const { id } = await live(market, person, admin);
    await market.db
      .update(schema.sellers)
      .set({ suspended: true, suspendedReason: 'x', suspendedAt: market.clock.now() })
      .where(eq(schema.sellers.id, person.sellerId as string));
    await refused(tap(id), 'contact.notAvailable');
  });

  test('that has no number anywhere', async () => {
    const person = await signUpSeller(market);
    const { id } = await live(market, person, admin);
    await market.db.update(products).set({ sellerWhatsapp: null }).where(eq(products.id, id));
    await market.db
      .update(schema.sellers)
      .set({ whatsapp: null })
      .where(eq(schema.sellers.id, person.sellerId as string));
    await unavailable(id);
  });
});

describe('the contact limit (product R22)', () => {
  test('lets ten an hour through, refuses the eleventh, and opens again an hour after the first', async () => {
    const { id } = await live(market, seller, admin);
    const who = await visitor();
    for (let n = 0; n < 10; n++) {
      await tap(id, who);
      market.clock.advance({ minutes: 1 });
    }
    expect(await checkContactLimit(who)).toBe(false);
    await refused(tap(id, who), 'contact.rateLimited');
    expect(await requests()).toHaveLength(10);
    market.clock.advance({ minutes: 50 });
    expect(await checkContactLimit(who)).toBe(true);
    await tap(id, who);
    await refused(tap(id, who), 'contact.rateLimited');
  });

  test('lets thirty a day through, refuses the next, and opens again the day after', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 120 });
    const who = await visitor();
    for (let n = 0; n < 30; n++) {
      if (n % 10 === 0) market.clock.advance({ hours: 2 });
      await tap(id, who);
    }
    market.clock.advance({ hours: 2 });
    await refused(tap(id, who), 'contact.rateLimited');
    market.clock.advance({ hours: 22 });
    await tap(id, who);
  });

  test('counts each visitor apart, and all of an address under a far higher cap', async () => {
    await writeSetting(await market.ctx(admin), 'contactPerAddressPerHour', 3);
    const { id } = await live(market, seller, admin);
    for (let n = 0; n < 3; n++) await tap(id, await visitor());
    await refused(tap(id, await visitor()), 'contact.rateLimited');
    await tap(id, await visitor(randomUUID(), 'another town'));
  });

  test('of ten taps at once with a limit of ten lets ten through, of twenty ten', async () => {
    const { id } = await live(market, seller, admin);
    const pools = [market.database.another({ max: 5 }), market.database.another({ max: 5 })];
    const burst = async (n: number, who: string) =>
      outcomes(
        await Promise.all(
          Array.from({ length: n }, async (_, i) =>
            tap(id, await visitor(who, 'one phone', pools[i % 2]?.db)),
          ),
        ).then((ok) => ok.map((value) => Promise.resolve(value))),
      );
    expect(await burst(10, randomUUID())).toEqual(Array(10).fill('kept'));
    const who = randomUUID();
    const contexts = await Promise.all(
      Array.from({ length: 20 }, (_, i) => visitor(who, 'another phone', pools[i % 2]?.db)),
    );
    const ended = await outcomes(contexts.map((ctx) => tap(id, ctx)));
    expect(ended.filter((end) => end === 'kept')).toHaveLength(10);
    expect(ended.filter((end) => end === 'contact.rateLimited')).toHaveLength(10);
  });

  test('cannot be passed by one visitor who changes address in a burst', async () => {
    await writeSetting(await market.ctx(admin), 'contactPerHour', 1);
    const { id } = await live(market, seller, admin);
    const who = randomUUID();
    const contexts = await Promise.all(
      Array.from({ length: 6 }, (_, n) => visitor(who, `address ${n}`)),
    );
    const ended = await outcomes(contexts.map((ctx) => tap(id, ctx)));
    expect(ended.filter((end) => end === 'kept')).toHaveLength(1);
  });

  test('follows the settings from the next request', async () => {
    const { id } = await live(market, seller, admin);
    const who = await visitor();
    await tap(id, who);
    await writeSetting(await market.ctx(admin), 'contactPerHour', 1);
    await refused(tap(id, who), 'contact.rateLimited');
    await writeSetting(await market.ctx(admin), 'contactPerHour', 2);
    await tap(id, who);
  });

  test('is not used up by refusals', async () => {
    await writeSetting(await market.ctx(admin), 'contactPerHour', 1);
    const { id } = await live(market, seller, admin);
    const who = await visitor();
    await refused(tap(randomUUID(), who), 'contact.notAvailable');
    await refused(requestContact(who, id, false), 'contact.consentRequired');
    await tap(id, who);
  });

  test('is answered alone without being counted, also for somebody new', async () => {
    const { id } = await live(market, otherSeller, admin);
    const who = await visitor();
    for (let n = 0; n < 20; n++) expect(await checkContactLimit(who)).toBe(true);
    await tap(id, who);
    expect(await checkContactLimit({ ...who, client: { ...who.client, visitor: null } })).toBe(
      true,
    );
    expect(await requests()).toHaveLength(1);
  });

  test('counts a chat account by itself', async () => {
    await writeSetting(await market.ctx(admin), 'contactPerHour', 1);
    const { id } = await live(market, seller, admin);
    const chat = (address: string) => chatOf(market, undefined, { address });
    await tap(id, await chat('1'));
    await refused(tap(id, await chat('1')), 'contact.rateLimited');
    await tap(id, await chat('2'));
    expect((await requests()).map((row) => row.visitor).sort()).toEqual(
      [(await chat('1')).client.visitor, (await chat('2')).client.visitor].sort(),
    );
  });
});
