import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openMarket } from '../support/market.ts';
import { expectUpright, orientedPhotos, shrinking } from '../support/orientations.ts';

/** The wizard shrinks photos before it sends them (product R43), on old browsers too. */
const market = await openMarket();
const photos = await orientedPhotos();
const [whole = ''] = photos;

const browsers: Record<string, () => void> = {
  today: () => {},
  'without createImageBitmap': () => {
    Reflect.deleteProperty(window, 'createImageBitmap');
  },
  'that refuses its options': () => {
    const real = createImageBitmap;
    window.createImageBitmap = ((file: Blob, ...options: unknown[]) =>
      options.length > 0 ? Promise.reject(new TypeError('enum')) : real(file)) as never;
  },
};

test.each(Object.entries(browsers))(
  'a browser %s shrinks photos in all eight orientations, upright',
  async (_, make) => {
    const page = await market.visit({ language: 'en' });
    await page.addInitScript(make);
    await page.goto('/how-it-works');
    await expectUpright((await page.evaluate(shrinking(photos))) as string[], photos);
    // Only the server can tell a lost end marker from a lost half.
    const cut = [-2, -20_000].map((end) => Buffer.from(whole, 'base64').subarray(0, end));
    const sent = cut.map((photo) => photo.toString('base64'));
    expect(await page.evaluate(shrinking(sent))).toEqual(sent);
  },
);

test('a canvas that gives back white or noise is not trusted: the original is sent, or refused over 5 MB', async () => {
  const [first = ''] = photos;
  const noise = await sharp({
    create: {
      width: 2600,
      height: 2600,
      channels: 3,
      background: '#888888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer();
  expect(noise.byteLength).toBeGreaterThan(5 * 1024 * 1024);
  const heavy = [noise, noise.subarray(0, -200)].map((photo) => photo.toString('base64'));
  const page = await market.visit({ language: 'en' });
  await page.addInitScript(() => {
    const real = CanvasRenderingContext2D.prototype.getImageData;
    CanvasRenderingContext2D.prototype.getImageData = function (...given) {
      const image = real.apply(this, given);
      const { spoil } = window as unknown as { spoil: (value: number) => number };
      image.data.set(image.data.map(spoil));
      return image;
    };
  });
  await page.goto('/how-it-works');
  await page.evaluate(() => Object.assign(window, { spoil: () => 255 }));
  expect(await page.evaluate(shrinking([first]))).toEqual([first]);
  await page.evaluate(() =>
    Object.assign(window, { spoil: (value: number) => (value * 7 + 90) % 256 }),
  );
  expect(await page.evaluate(shrinking([first, ...heavy]))).toEqual([first, 'tooBig', 'cut']);
});
