import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { pendingEdits, pendingProducts } from '../../../api/products/reads.ts';
import { correction, edit, submission } from '../../../api/products/schema.ts';
import { slotEdit } from '../../../api/slots/schema.ts';
import { schema } from '../../../db/client.ts';
import { actors, withFactor } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { jpeg } from '../../support/photos.ts';
import { draftJson, live, submitted, uploadPhoto } from '../../support/products.ts';
import { chatting } from '../../support/talk.ts';

/** A number or a link in public text leads buyers past the consent (decision 028). */
const market = await testApp();
const { admin, seller } = await actors(market);
beforeEach(() => market.reset());

const number = 'appelez +237 699 00 12 34';
const link = 'photos sur facebook.com/kmershop';
const places: [path: string, changes: (text: string) => Record<string, unknown>, name?: true][] = [
  ['name.en', (text) => ({ name: { en: text } })],
  ['name.fr', (text) => ({ name: { en: 'A fridge', fr: text } })],
  ['description.en', (text) => ({ description: { en: text } })],
  ['description.fr', (text) => ({ description: { en: 'A good fridge', fr: text } })],
  ['sellerLocation', (text) => ({ sellerLocation: text })],
  ['sellerName', (text) => ({ sellerName: text }), true],
  ['businessName', (text) => ({ businessName: text }), true],
];
const codes = (rule: typeof submission | typeof edit | typeof correction, given: object) =>
  (rule.safeParse(given).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
const changed = (given: Record<string, unknown>) => {
  const {
    durationHours: _d,
    listingType: _l,
    paymentMethod: _p,
    ...rest
  } = draftJson({ images: [crypto.randomUUID()], ...given });
  return rest;
};

describe.each(places)('a number or a link in %s', (path, changes, name) => {
  const [phone, web] = name ? ['phoneInName', 'linkInName'] : ['phoneInProduct', 'linkInProduct'];

  test('is refused at that field in a submission, a change and an admin’s correction', () => {
    for (const [text, code] of [
      [number, phone],
      [link, web],
    ] as const) {
      const images = [crypto.randomUUID()];
      expect(codes(submission, draftJson({ images, ...changes(text) }))).toEqual([
        `${path}: ${code}`,
      ]);
      expect(codes(edit, changed(changes(text)))).toEqual([`${path}: ${code}`]);
      const seen = market.clock.now().toISOString();
      expect(codes(correction, { ...changed(changes(text)), seen })).toEqual([`${path}: ${code}`]);
    }
  });
});

test('is refused where an admin edits what a stall shows', () => {
  const productId = crypto.randomUUID();
  for (const given of [
    { name: { en: number } },
    { description: { en: link } },
    { sellerLocation: number },
    { businessName: link },
  ])
    expect(slotEdit.safeParse({ productId, durationHours: 72, ...given }).success).toBe(false);
});

test('is refused over HTTP with its sentence, and stores nothing', async () => {
  const images = [await uploadPhoto(market, seller)];
  const answer = await market.call('/api/products', {
    as: seller,
    json: draftJson({ images, description: { en: number } }),
  });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    error: {
      fields: [
        {
          path: 'description.en',
          message: 'Leave phone numbers out of the text: buyers get yours when they contact you.',
        },
      ],
    },
  });
});

test('that is stored already is shown to reviewers, and stays up', async () => {
  const { products } = schema;
  const waiting = await submitted(market, seller);
  const { id, slotId } = await live(market, seller, admin);
  expect((await pendingEdits(await market.ctx(admin))).flagged).toEqual([]);
  for (const stored of [waiting.id, id])
    await market.db
      .update(products)
      .set({ name: { en: 'Fridge 677123456' }, sellerLocation: 'Douala, wa.me/237677123456' })
      .where(eq(products.id, stored));
  const fields = ['nameEn', 'sellerLocation'];
  const ctx = await market.ctx(admin);
  expect((await pendingProducts(ctx)).products).toMatchObject([
    { id: waiting.id, contactFields: fields, can: { approve: true } },
  ]);
  expect((await pendingEdits(ctx)).flagged).toMatchObject([{ id, slotId, fields }]);
  await withFactor(market, admin);
  const chat = await chatting(market, { person: admin, language: 'en' });
  const answer = (await chat.say('pending')).map(({ text }) => text).join('\n');
  expect(answer).toContain(
    'This text contains a phone number or a link: Product name (English), Location',
  );
});

describe('in the chat', () => {
  test('the question is repeated with the reason, and the draft is kept', async () => {
    const chat = await chatting(market, { person: seller, language: 'en' });
    await chat.say('sell');
    await chat.say('', { photos: [{ ref: 'one' }] }, () => jpeg());
    await chat.say('done');
    const [refused] = await chat.say('Fridge, call 677 12 34 56');
    expect(refused?.text).toMatch(
      /^Leave phone numbers out of the text: buyers get yours when they contact you\.\n\n/,
    );
    const [taken] = await chat.say('A good fridge');
    expect(taken?.text).not.toMatch(/Leave/);
    const [draft] = await market.db.select().from(schema.productDrafts);
    expect(draft?.answers).toMatchObject({ 'name.en': 'A good fridge' });
  });
});
