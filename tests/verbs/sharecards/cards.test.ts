import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PublicRow, publicRows, type Standing } from '../../../api/listings/standing.ts';
import { publicProduct } from '../../../api/productpages/read.ts';
import { cardKeys, drawShareCards } from '../../../api/sharecards/cards.ts';
import { cardBytes, drawCard, type Face } from '../../../api/sharecards/draw.ts';
import { faceOf } from '../../../api/sharecards/face.ts';
import { letters, widthOf, wrap, writable } from '../../../api/sharecards/lettering.ts';
import { marketCardPath } from '../../../api/sharecards/market.ts';
import { glyphOf } from '../../../api/sharecards/outlines.ts';
import { money } from '../../../api/shared/text.ts';
import { schema } from '../../../db/client.ts';
import { dictionaries, translator } from '../../../locales/index.ts';
import { type Language, languages } from '../../../locales/languages.ts';
import { actors, signUpSeller, suspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { endOf } from '../../support/listings.ts';
import { heavyJpeg } from '../../support/photos.ts';
import { approved, live, productRow } from '../../support/products.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
afterEach(() => void vi.restoreAllMocks());
const { products, slots } = schema;

const change = (id: string, set: Partial<typeof products.$inferInsert>) =>
  market.db.update(products).set(set).where(eq(products.id, id));
const changeSlot = (id: string, set: Partial<typeof slots.$inferInsert>) =>
  market.db.update(slots).set(set).where(eq(slots.productId, id));

async function address(id: string, language: Language = 'en'): Promise<string> {
  const product = await publicProduct(await market.ctx(), (await productRow(market, id)).slug);
  if (!product) throw new Error('The product has no page');
  return product.shareCard[language];
}
const fetchCard = async (url: string) => {
  const response = await market.request(url);
  return {
    status: response.status,
    to: response.headers.get('location'),
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};
async function rowOf(id: string): Promise<PublicRow> {
  const [row] = await publicRows(await market.ctx(), eq(products.id, id));
  if (!row) throw new Error('There is no such product');
  return row;
}
const run = () => drawShareCards(market.job('draw-share-cards'));
const storedCards = () =>
  [...market.storage.files.keys()].filter((key) => key.startsWith('products/card-')).sort();
/** Returns a counter of cards drawn and stored from now on. */
function drawn(): () => number {
  const put = vi.spyOn(market.storage, 'put');
  return () => put.mock.calls.filter(([key]) => key.startsWith('products/card-')).length;
}
async function leave(
  id: string,
  stamps: Partial<typeof products.$inferInsert> = {},
): Promise<void> {
  await market.db.transaction(async (tx) => {
    await endOf(tx, id, market.clock.now());
    await tx
      .update(products)
      .set({ updatedAt: market.clock.now(), ...stamps })
      .where(eq(products.id, id));
  });
}

describe('the share card of a live product', () => {
  test('is a JPEG of 1200 × 630 under 300 kB that never changes under its address', async () => {
    const { id } = await live(market, seller, admin);
    const { status, headers, bytes } = await fetchCard(await address(id));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/jpeg');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1200,
      height: 630,
    });
    expect(bytes.byteLength).toBeLessThan(300_000);
  });

  test('says number, name, price, place and end in the language of its address', async () => {
    const { id } = await live(market, seller, admin);
    const row = await rowOf(id);
    expect(faceOf(row, 'live', 'en')).toMatchObject({
      number: '11',
      premium: false,
      title: 'Samsung Galaxy A14',
      price: money(65_000, 'en'),
      place: 'Douala, Littoral',
      foot: 'Ends Thursday 26 November at 09:00',
      zone: 'Douala time',
      stamp: null,
    });
    const french = faceOf(row, 'live', 'fr');
    expect(french.title).toBe('Samsung Galaxy A14, comme neuf');
    expect(plain(french.price ?? '')).toBe('65 000 XAF');
    expect(plain(french.foot)).toBe('Fin : jeudi 26 novembre à 09:00');
    const [english, other] = [
      await fetchCard(await address(id, 'en')),
      await fetchCard(await address(id, 'fr')),
    ];
    expect(english.bytes.equals(other.bytes)).toBe(false);
  });

  test('wears the woven band in slots 1-10 and nowhere else', async () => {
    const { id } = await live(market, seller, admin, { listingType: 'featured' });
    expect(faceOf(await rowOf(id), 'live', 'en')).toMatchObject({ number: '01', premium: true });
    const standard = await live(market, seller, admin);
    const light = async (card: string) => {
      const { bytes } = await fetchCard(await address(card));
      // Above the text: the woven band or plain paper.
      const part = await sharp(bytes)
        .extract({ left: 900, top: 0, width: 300, height: 50 })
        .toBuffer();
      return (await sharp(part).stats()).channels[0]?.mean ?? 0;
    };
    expect(await light(id)).toBeLessThan(150);
    expect(await light(standard.id)).toBeGreaterThan(230);
  });

  test('shows no price that is zero or missing', async () => {
    const { id } = await live(market, seller, admin);
    const row = await rowOf(id);
    for (const price of [0, null]) expect(faceOf({ ...row, price }, 'live', 'en').price).toBeNull();
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['price', (id) => change(id, { price: 60_000 })],
    ['name', (id) => change(id, { name: { en: 'Samsung A15', fr: 'Samsung A15' } })],
    ['place', (id) => change(id, { city: 'Kribi' })],
    [
      'end',
      async (id) => changeSlot(id, { endTime: new Date(market.clock.now().getTime() + 3_600_000) }),
    ],
    [
      'picture',
      async (id) =>
        change(id, {
          images: (await productRow(market, id)).images.map((image) => ({
            ...image,
            key: 'products/another',
          })),
        }),
    ],
    [
      'pause',
      (id) =>
        changeSlot(id, { pausedAt: market.clock.now(), pausedBy: 'admin', remainingDuration: 60 }),
    ],
    [
      'slot',
      async (id) => {
        const [slot] = await market.db.select().from(slots).where(eq(slots.productId, id));
        const { startTime, endTime } = slot as NonNullable<typeof slot>;
        await market.db.transaction(async (tx) => {
          await tx
            .update(slots)
            .set({ active: false, productId: null, startTime: null, endTime: null })
            .where(eq(slots.productId, id));
          await tx
            .update(slots)
            .set({ active: true, productId: id, startTime, endTime })
            .where(eq(slots.id, 33));
          await tx
            .update(schema.listings)
            .set({ slotId: 33 })
            .where(eq(schema.listings.productId, id));
        });
      },
    ],
  ])('has another address in both languages after a change of %s', async (_, act) => {
    const { id } = await live(market, seller, admin);
    const before = [await address(id, 'en'), await address(id, 'fr')];
    await act(id);
    const after = [await address(id, 'en'), await address(id, 'fr')];
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test('keeps its address when only what is not drawn changes', async () => {
    const { id } = await live(market, seller, admin);
    const before = await address(id);
    await change(id, { description: { en: 'Another text altogether.' }, updatedAt: new Date() });
    await market.db.update(schema.slotEngagement).set({ views: 99 });
    market.clock.advance({ hours: 5 });
    expect(await address(id)).toBe(before);
  });

  test('is over from zero: the address changes with the clock alone', async () => {
    const { id, endTime } = await live(market, seller, admin);
    const before = await address(id);
    market.clock.set(endTime);
    expect(await address(id)).not.toBe(before);
    expect((await fetchCard(before)).status).toBe(302);
  });
});

describe('a product that is not live', () => {
  test.each<[Standing, string, string]>([
    ['expired', 'ENDED', 'This listing has ended'],
    ['ended', 'ENDED', 'This listing has ended'],
    ['sold', 'SOLD', 'This product is sold'],
    ['withdrawn', 'WITHDRAWN', 'The seller has withdrawn this product'],
    ['waiting', 'IN THE QUEUE', 'This product is not live right now'],
  ])(
    'that is %s shows %s across its picture, without slot, price and time',
    async (standing, stamp, foot) => {
      const { id } = await live(market, seller, admin);
      const face = faceOf(await rowOf(id), standing, 'en');
      expect(face).toMatchObject({
        stamp,
        foot,
        number: null,
        premium: false,
        price: null,
        zone: null,
      });
      expect(face.picture).not.toBeNull();
    },
  );

  test('that is paused shows its slot and name, and no picture (product R7)', async () => {
    const { id } = await live(market, seller, admin);
    expect(faceOf(await rowOf(id), 'paused', 'fr')).toMatchObject({
      stamp: 'EN PAUSE',
      number: '11',
      price: null,
      place: null,
      picture: null,
    });
  });

  test('has a card that is drawn when somebody asks, and that differs from the live one', async () => {
    const { id } = await live(market, seller, admin);
    const before = await fetchCard(await address(id));
    await leave(id, { soldAt: market.clock.now() });
    const after = await fetchCard(await address(id));
    expect(after.status).toBe(200);
    expect(after.bytes.equals(before.bytes)).toBe(false);
  });

  test('that the public must not find has no card, not even one that is stored', async () => {
    const person = await signUpSeller(market);
    const { id } = await live(market, person, admin);
    const url = await address(id);
    await run();
    const [key] = cardKeys(id);
    expect(market.storage.files.has(key as string)).toBe(true);
    await suspend(market, person);
    expect((await fetchCard(url)).status).toBe(404);
    expect((await fetchCard(`/media/${key}`)).status).toBe(404);
    expect(
      (await fetchCard(`/media/cards/${(await approved(market, seller, admin)).id}-en.jpg`)).status,
    ).toBe(404);
  }, 60_000);
});

describe('an address that is not the present one', () => {
  test('of an old version leads to the present card', async () => {
    const { id } = await live(market, seller, admin);
    const old = await address(id);
    await change(id, { price: 60_000 });
    const { status, to, headers } = await fetchCard(old);
    expect(status).toBe(302);
    expect(`http://market.test${to}`).toBe(await address(id));
    expect(headers.get('cache-control')).not.toContain('immutable');
  });

  test('that somebody made up leads there too, and nothing is drawn for it', async () => {
    const { id } = await live(market, seller, admin);
    const count = drawn();
    for (const made of ['000000000000', 'abcdefabcdef'])
      expect((await fetchCard(`/media/cards/${id}-en-${made}.jpg`)).status).toBe(302);
    expect((await fetchCard(`/media/cards/${id}-en.jpg`)).status).toBe(302);
    expect(count()).toBe(0);
  });

  test.each([
    'card.jpg',
    'x-en-000000000000.jpg',
    `${randomUUID()}-de-000000000000.jpg`,
    `${randomUUID()}-en-000000000000.png`,
    `${randomUUID()}-en-000000000000.jpg`,
  ])('like %s is not found', async (file) =>
    expect((await fetchCard(`/media/cards/${file}`)).status).toBe(404),
  );
});

test('the market has a card a language, and no other', async () => {
  const cards = await Promise.all(languages.map((language) => fetchCard(marketCardPath(language))));
  for (const { status, headers, bytes } of cards) {
    expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(headers.get('cache-control')).toContain('immutable');
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200, height: 630 });
    expect(bytes.byteLength).toBeLessThan(300_000);
  }
  expect(cards[0]?.bytes.equals(cards[1]?.bytes as Buffer)).toBe(false);
  expect((await fetchCard('/media/cards/market-de.jpg')).status).toBe(404);
});

describe('a card is drawn', () => {
  test('once, however many ask for it at the same moment', async () => {
    const { id } = await live(market, seller, admin);
    const url = await address(id);
    const count = drawn();
    const answers = await Promise.all(Array.from({ length: 12 }, () => fetchCard(url)));
    expect(count()).toBe(1);
    expect(
      answers.every(
        ({ status, bytes }) => status === 200 && bytes.equals(answers[0]?.bytes as Buffer),
      ),
    ).toBe(true);
    await fetchCard(url);
    expect(count()).toBe(1);
  });

  test('and answered also when it cannot be stored', async () => {
    const { id } = await live(market, seller, admin);
    const url = await address(id);
    market.storage.failAfter(0);
    expect((await fetchCard(url)).status).toBe(200);
    expect(market.logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  test('without its picture when the file is gone', async () => {
    const { id } = await live(market, seller, admin);
    await market.storage.delete([...market.storage.files.keys()]);
    const { status, bytes } = await fetchCard(await address(id));
    expect(status).toBe(200);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200, height: 630 });
  });
});

describe('the job that draws cards', () => {
  test('draws those of live products in both languages, before anybody asks', async () => {
    const { id } = await live(market, seller, admin);
    expect(await run()).toEqual({ drawn: 2, deleted: 0 });
    expect(storedCards()).toEqual(cardKeys(id).sort());
    const count = drawn();
    expect((await fetchCard(await address(id, 'fr'))).status).toBe(200);
    expect(count()).toBe(0);
  });

  test('does nothing the second time, and reads no file that it knows', async () => {
    await live(market, seller, admin);
    await run();
    const get = vi.spyOn(market.storage, 'get');
    expect(await run()).toEqual({ drawn: 0, deleted: 0 });
    expect(get).not.toHaveBeenCalled();
  });

  test('draws again what changed, and leaves no old version behind', async () => {
    const { id } = await live(market, seller, admin);
    await run();
    const before = market.storage.files.get(cardKeys(id)[0] as string);
    await change(id, { price: 60_000 });
    expect(await run()).toEqual({ drawn: 2, deleted: 0 });
    expect(storedCards()).toEqual(cardKeys(id).sort());
    expect(market.storage.files.get(cardKeys(id)[0] as string)).not.toEqual(before);
  });

  test('deletes the cards of a product that left its slot, and keeps those that were drawn since', async () => {
    const { id } = await live(market, seller, admin);
    await run();
    await leave(id);
    await fetchCard(await address(id, 'en'));
    expect(await run()).toEqual({ drawn: 0, deleted: 1 });
    expect(storedCards()).toEqual([cardKeys(id)[0]]);
  });

  test('deletes the cards of removed products and of suspended sellers', async () => {
    const person = await signUpSeller(market);
    const removed = await live(market, seller, admin);
    const suspended = await live(market, person, admin);
    await run();
    await leave(removed.id, { removedAt: market.clock.now() });
    await suspend(market, person);
    expect(await run()).toEqual({ drawn: 0, deleted: 4 });
    expect(storedCards()).toEqual([]);
    expect(suspended.id).not.toBe(removed.id);
  });

  test('begins no card beyond its time, and goes on the next time', async () => {
    await live(market, seller, admin);
    expect(await drawShareCards(market.job('draw-share-cards'), { budgetMs: -1 })).toEqual({
      drawn: 0,
      deleted: 0,
    });
    expect((await run()).drawn).toBe(2);
  });
});

describe('the drawing', () => {
  const face: Face = {
    language: 'fr',
    market: 'Marché 54',
    state: 'live',
    number: '07',
    premium: true,
    title: 'Groupe électrogène',
    price: '165 000 XAF',
    place: 'Yaoundé',
    foot: 'Fin',
    zone: 'Heure',
    stamp: null,
    noPicture: 'Sans photo',
    picture: null,
  };

  test('stays under 300 kB for a picture that no format can shrink', async () => {
    const bytes = await drawCard(market.services, face, await heavyJpeg(), 'test');
    expect(bytes.byteLength).toBeLessThan(cardBytes);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200, height: 630 });
  });

  test('breaks a long name into two lines and shortens it with an ellipsis', () => {
    const name =
      'Ensemble de six chaises de salle à manger en bois d’ébène sculpté à la main, avec coussins brodés';
    const { lines, whole } = wrap(name, 'bold', 48, 516, 2);
    expect(whole).toBe(false);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/\S…$/);
    for (const words of lines) expect(widthOf(words, 'bold', 48)).toBeLessThanOrEqual(516);
  });

  test('cuts a word that is longer than a line, and never breaks at a no-break space', () => {
    for (const words of wrap('x'.repeat(300), 'bold', 48, 516, 2).lines)
      expect(widthOf(words, 'bold', 48)).toBeLessThanOrEqual(516);
    expect(
      wrap('Prix 12\u202f500\u00a0XAF', 'bold', 48, widthOf('Prix 12', 'bold', 48), 3).lines[0],
    ).toBe('Prix');
  });

  test('has every character of its fixed sentences, of prices and of French', () => {
    const sentences = (['en', 'fr'] as const).flatMap((language) => [
      ...Object.values(dictionaries[language].shop.states).map((state) =>
        typeof state === 'string' ? state : state.title,
      ),
      ...Object.values(dictionaries[language].common.status).map((word) =>
        word.toLocaleUpperCase(language),
      ),
      translator(language, 'common')('time.zone'),
      translator(language, 'common')('product.noImage'),
      dictionaries[language].shop.page.ends.replace('{{end}}', ''),
      money(1_234_567_890, language),
    ]);
    for (const text of [
      ...sentences,
      'ÀÂÄÆÇÉÈÊËÎÏÔŒÙÛÜŸ àâäæçéèêëîïôœùûüÿ « » ’ “ ” – — … # 0123456789',
    ])
      expect(writable(text)).toBe(text.trim());
    expect(widthOf('12\u202f500', 'bold', 100)).toBeGreaterThan(widthOf('12500', 'bold', 100));
  });

  test('leaves out what the font cannot write, and writes the letters of Cameroon’s languages', () => {
    expect(writable('Ndɔlɛ 🔥 ŋgond')).toBe('Ndɔlɛ ŋgond');
    expect(writable('ě ệ ɓɗ 电话\t x')).toBe('ě e bd x');
    // A turned letter is as wide as the one it is made of.
    expect(widthOf('ɔ', 'bold', 100)).toBe(widthOf('c', 'bold', 100));
    expect(widthOf('AV', 'bold', 100)).toBeLessThan(
      widthOf('A', 'bold', 100) + widthOf('V', 'bold', 100),
    );
  });

  test('writes text as outlines, so that no font of the machine is asked for', () => {
    const svg = letters('É <script>', { x: 0, y: 0, size: 10, weight: 'bold', fill: '#000' });
    expect(svg).toContain('<path');
    expect(svg).not.toMatch(/<text|font|script/);
  });
});

test('every letter of the font has a whole path', () => {
  const numbers = { M: 2, L: 2, Q: 4, C: 6, Z: 0 } as const;
  const characters = Array.from({ length: 0x250 - 0x21 }, (_, n) => String.fromCodePoint(0x21 + n));
  for (const weight of ['medium', 'bold'] as const)
    for (const character of characters)
      for (const [, command = '', rest = ''] of (glyphOf(character, weight)?.path ?? '').matchAll(
        /([A-Z])([^A-Z]*)/g,
      ))
        expect([character, command, rest.match(/-?\d+/g)?.length ?? 0]).toEqual([
          character,
          command,
          numbers[command as keyof typeof numbers],
        ]);
});
