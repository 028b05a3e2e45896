import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeDraft } from '../../../api/drafts/changeDraft.ts';
import { discardDraft } from '../../../api/drafts/discardDraft.ts';
import { ownDraft } from '../../../api/drafts/draft.ts';
import { forgetDrafts } from '../../../api/drafts/forgetDrafts.ts';
import { keepDraft } from '../../../api/drafts/keepDraft.ts';
import { keptDraft } from '../../../api/drafts/schema.ts';
import { submitDraft } from '../../../api/drafts/submitDraft.ts';
import { submit } from '../../../api/products/submit.ts';
import { removeSeller } from '../../../api/sellers/remove.ts';
import { cleanAbandonedUploads } from '../../../api/uploads/cleanAbandonedUploads.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { chatOf } from '../../support/chat.ts';
import { jpeg } from '../../support/photos.ts';
import { draft, uploadPhoto } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { chatting } from '../../support/talk.ts';

const market = await testApp();
const who = await actors(market);
const { seller, otherSeller } = who;
const { productDrafts, products } = schema;
beforeEach(() => market.reset());

const answers = {
  'name.en': 'Samsung Galaxy A14',
  'description.en': 'Like new, with its charger',
  category: 'electronics',
  price: '75 000',
  paymentMethod: 'cash',
} as const;
const web = () => market.ctx(seller);
const chat = () => chatOf(market, seller);
const answersIn = (typed: object) =>
  keptDraft.parse({ key: randomUUID(), seen: null, answers: typed, photos: [] }).answers;
const kept = async () => (await ownDraft(await web())).draft;

describe('a draft', () => {
  test('is one, of its account, that the site and a chat both go on with', async () => {
    const photo = await uploadPhoto(market, seller);
    const key = randomUUID();
    const { updatedAt } = await keepDraft(await web(), {
      key,
      seen: null,
      answers: { 'name.en': 'Samsung' },
      photos: [photo],
    });
    const changed = await changeDraft(await chat(), { answers: { price: '75 000' } });
    expect(changed).toMatchObject({
      key,
      answers: { 'name.en': 'Samsung', price: '75 000' },
      photos: [{ id: photo }],
    });
    // A page that has not seen the chat's changes cannot overwrite them.
    await refused(
      keepDraft(await web(), { key, seen: updatedAt, answers: {}, photos: [] }),
      'drafts.changed',
    );
    await keepDraft(await web(), { key, seen: changed.updatedAt, answers, photos: [photo] });
    expect(await kept()).toMatchObject({ answers, photos: [{ id: photo }] });
  });

  test('keeps a number that is pasted as a link with a greeting', () => {
    const sellerWhatsapp = `https://wa.me/237699012345?text=${'Bonjour%20'.repeat(20)}`;
    expect(answersIn({ sellerWhatsapp })).toEqual({ sellerWhatsapp });
  });

  test('is nobody else’s: not read, not changed, not given up, and no photo of another’s joins it', async () => {
    const { key } = await changeDraft(await web(), { answers });
    const other = await market.ctx(otherSeller);
    expect((await ownDraft(other)).draft).toBeNull();
    await discardDraft(other, key);
    await refused(submitDraft(other), 'notFound');
    expect(await kept()).toMatchObject({ key });
    const theirs = await uploadPhoto(market, otherSeller);
    await refused(changeDraft(await chat(), { add: theirs }), 'uploads.notFound');
    expect(
      (
        await keepDraft(other, {
          key: randomUUID(),
          seen: null,
          answers: {},
          photos: [await uploadPhoto(market, seller)],
        })
      ).updatedAt,
    ).toBeTruthy();
    expect((await ownDraft(other)).draft?.photos).toEqual([]);
    for (const [stranger, code] of [
      [who.visitor, 'signInRequired'],
      [who.member, 'sellers.profileMissing'],
      [who.suspendedSeller, 'sellers.suspended'],
    ] as const)
      await refused(ownDraft(await market.ctx(stranger as typeof seller)), code);
  });

  test('is one product, whoever submits it', async () => {
    const photo = await uploadPhoto(market, seller);
    const { key } = await changeDraft(await chat(), { answers, add: photo });
    const { id } = await submitDraft(await chat());
    expect(await kept()).toBeNull();
    await refused(submitDraft(await chat()), 'notFound');
    // A page that still shows the draft: its content under the same key is another request.
    await refused(submit(await web(), draft({ images: [photo] }), key), 'idempotencyMismatch');
    await refused(
      keepDraft(await web(), { key, seen: null, answers, photos: [] }),
      'drafts.submitted',
    );
    expect(
      await market.db.select({ id: products.id, price: products.price }).from(products),
    ).toEqual([{ id, price: 75_000 }]);
  });

  test('that the page submits is gone from the chat', async () => {
    const photo = await uploadPhoto(market, seller);
    const { key } = await changeDraft(await chat(), { add: photo });
    await submit(await web(), draft({ images: [photo] }), key);
    expect(await kept()).toBeNull();
  });

  test('that lacks something is submitted by nobody, by the rules of the form', async () => {
    await changeDraft(await chat(), { answers: { ...answers, price: '5' } });
    const refusal = await submitDraft(await chat()).catch((error) => error);
    expect(refusal.fields.map(({ path }: { path: string }) => path).sort()).toEqual([
      'images',
      'price',
    ]);
    expect(await kept()).not.toBeNull();
  });

  test('takes five photos', async () => {
    for (let n = 0; n < 5; n++)
      await changeDraft(await chat(), { add: await uploadPhoto(market, seller) });
    await refused(
      changeDraft(await chat(), { add: await uploadPhoto(market, seller) }),
      'validation',
    );
    const before = (await kept())?.photos.map(({ id }) => id) ?? [];
    await changeDraft(await chat(), { remove: before[1] ?? '' });
    expect((await kept())?.photos.map(({ id }) => id)).toEqual(before.filter((_, n) => n !== 1));
  });

  test('keeps its photos beyond a day, goes after thirty, and with its seller', async () => {
    await changeDraft(await chat(), { add: await uploadPhoto(market, seller) });
    market.clock.advance({ days: 29 });
    expect(await cleanAbandonedUploads(market.job('x'))).toBe(0);
    expect(await forgetDrafts(market.job('x'))).toBe(0);
    market.clock.advance({ days: 2 });
    expect([
      await forgetDrafts(market.job('x')),
      await cleanAbandonedUploads(market.job('x')),
    ]).toEqual([1, 1]);
    const leaver = await signUpSeller(market);
    await changeDraft(await market.ctx(leaver), { answers });
    await removeSeller(await market.ctx(who.admin), leaver.sellerId ?? '');
    expect(await market.db.$count(productDrafts)).toBe(0);
  });
});

describe('a photo in a chat', () => {
  const photos = [{ ref: 'x' }];

  test('is fetched for a seller alone', async () => {
    let fetched = 0;
    const fetchPhoto = async () => {
      fetched++;
      return jpeg();
    };
    for (const [n, person] of [undefined, who.member, who.suspendedSeller].entries())
      await (
        await chatting(market, {
          ...(person ? { person } : {}),
          language: 'en',
          address: `no seller ${n}`,
        })
      ).say('', { photos }, fetchPhoto);
    expect(fetched).toBe(0);
    const { say } = await chatting(market, { person: seller, language: 'en' });
    expect((await say('', { photos }, fetchPhoto))[0]?.text).toContain('Photo 1 of 5');
    expect([fetched, (await kept())?.photos.length]).toEqual([1, 1]);
  });

  test('is judged as one from the form is, and what the transport could not hand over is tried again', async () => {
    const { say } = await chatting(market, { person: seller, language: 'en' });
    expect((await say('', { photos }, async () => Buffer.from('<svg>')))[0]?.text).toMatch(
      /must be/i,
    );
    expect((await say('', { photos }, async () => new Uint8Array(6_000_000)))[0]?.text).toContain(
      '5',
    );
    await expect(
      say('', { photos }, async () => {
        throw new Error('away');
      }),
    ).rejects.toThrow('away');
    expect(await kept()).toBeNull();
  });
});
