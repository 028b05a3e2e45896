import { beforeEach, expect, test } from 'vitest';
import { fileKey } from '../../../api/uploads/files.ts';
import { refinePhotos } from '../../../api/uploads/refine.ts';
import type { StoredImage } from '../../../db/schema/products.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live, productRow } from '../../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const refine = () => refinePhotos(market.job('refine-photos'));

test('a photo whose file is missing waits, is looked for once an hour, and is refined when it arrives', async () => {
  const { id } = await live(market, seller, admin);
  const photo = async () => (await productRow(market, id))?.images[0] as StoredImage;
  const { key, widths } = await photo();
  const { storage } = market;
  const file = fileKey(key, Math.max(...widths));
  const kept = await storage.get(file);
  if (!kept) throw new Error('The photo has no file');
  await storage.delete([file]);
  expect(await refine()).toBe(0);
  expect(await photo()).not.toHaveProperty('avif');
  await storage.put(file, kept, 'image/webp');
  // A missing file costs one look an hour, so many of them hold up no other photo.
  expect(await refine()).toBe(0);
  market.clock.advance({ hours: 1, seconds: 1 });
  expect(await refine()).toBe(1);
  expect(await photo()).toHaveProperty('avif');
  expect(await refine()).toBe(0);
});
