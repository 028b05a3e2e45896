import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { chatLinks, statusPicturePath } from '../../../api/chats/deepLinks.ts';
import { makeStatusPicture, picturesAnHour } from '../../../api/chats/statusPicture.ts';
import { schema } from '../../../db/client.ts';
import { languages } from '../../../locales/languages.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { approved, live } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

const env = { TELEGRAM_BOT_NAME: 'Marche54Bot' };
const market = await testApp({ env });
const { seller, otherSeller, admin } = await actors(market);
const fetched = async (path: string) => {
  const response = await market.request(path);
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
};

/** The code in a picture: its dark squares, read at their middles. */
async function holds(picture: Uint8Array, url: string): Promise<boolean> {
  const { size, data } = encode(url, { border: 4 });
  const { data: pixels, info } = await sharp(picture)
    .greyscale()
    .extract({ left: 732, top: 1520, width: 276, height: 276 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const middle = (at: number) => Math.round(((at + 0.5) * info.width) / size);
  return data.every((row, y) =>
    row.every((dark, x) => dark === (pixels[middle(y) * info.width + middle(x)] ?? 0) < 128),
  );
}

test.each(languages)(
  'a seller’s live listing has a picture for a status in %s',
  async (language) => {
    const { id, slotId } = await live(market, seller, admin);
    const ctx = { ...(await market.ctx(seller)), language };
    const { path, event } = await makeStatusPicture(ctx, id);
    expect(path).toBe(statusPicturePath(id, language));
    expect(event).toMatchObject({ type: 'share', productId: id });
    const { status, bytes } = await fetched(path);
    expect(status).toBe(200);
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1080,
      height: 1920,
    });
    expect(bytes.byteLength).toBeLessThan(400_000);
    const { telegram = '' } = chatLinks(env, language, { product: id });
    expect(await holds(bytes, telegram)).toBe(true);
    // The same listing with another end is another picture.
    await market.db
      .update(schema.slots)
      .set({ endTime: new Date(market.clock.now().getTime() + 9 * 86_400_000) })
      .where(eq(schema.slots.id, slotId));
    expect((await fetched(path)).bytes).not.toEqual(bytes);
  },
);

test('making it is one share of the listing', async () => {
  const { id } = await live(market, seller, admin);
  const shares = async () =>
    (await market.db.select().from(schema.engagementEvents)).filter(
      ({ productId, type }) => productId === id && type === 'share',
    ).length;
  const make = () =>
    market.call<{ path: string }>(`/api/products/${id}/status-picture`, {
      method: 'POST',
      as: seller,
      headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 12) Chrome/130 Mobile' },
    });
  const { body } = await make();
  expect(await shares()).toBe(1);
  // To look at it counts nothing.
  await fetched(body.path);
  expect(await shares()).toBe(1);
  await make();
  expect(await shares()).toBe(2);
});

test('nobody else makes it, nor of a listing that is not live, nor again and again', async () => {
  const { id } = await live(market, seller, admin);
  const waiting = await approved(market, seller, admin);
  const make = async (as: typeof seller, which: string) =>
    makeStatusPicture(await market.ctx(as), which);
  await refused(make(otherSeller, id), 'products.notFound');
  await refused(make(seller, waiting.id), 'products.notLive');
  for (const unknown of [waiting.id, '00000000'])
    expect((await fetched(statusPicturePath(unknown, 'en'))).status).toBe(404);
  await market.db.delete(schema.rateLimit);
  for (let n = 0; n < picturesAnHour; n++) await make(seller, id);
  await refused(make(seller, id), 'tooManyRequests');
});

test('it needs no photo, and a long name and place stay within the picture', async () => {
  const { id } = await live(market, seller, admin);
  await market.db
    .update(schema.products)
    .set({
      images: [],
      name: { en: 'Machine à coudre industrielle '.repeat(4).trim() },
      city: 'Nkongsamba et environs, derrière le marché central'.repeat(2),
    })
    .where(eq(schema.products.id, id));
  const { status, bytes } = await fetched(statusPicturePath(id, 'fr'));
  expect(status).toBe(200);
  const { data } = await sharp(bytes)
    .extract({ left: 1040, top: 1180, width: 40, height: 740 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  // The right edge is paper alone.
  expect(data.every((value) => value > 200)).toBe(true);
});
