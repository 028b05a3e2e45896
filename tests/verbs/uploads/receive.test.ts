import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { diskStorage } from '../../../api/ops/storage.ts';
import { cleanAbandonedUploads } from '../../../api/uploads/cleanAbandonedUploads.ts';
import { discardPhoto } from '../../../api/uploads/discardPhoto.ts';
import { photoLimits, photoWidths, preparePhoto } from '../../../api/uploads/images.ts';
import { receivePhoto } from '../../../api/uploads/receive.ts';
import { schema } from '../../../db/client.ts';
import { translator } from '../../../locales/index.ts';
import { languages } from '../../../locales/languages.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import * as photos from '../../support/photos.ts';
import { submitted, uploadPhoto } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { temporaryDisk } from '../../support/storage.ts';

const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const rows = () => market.db.select().from(schema.uploads);
const receive = async (bytes: Uint8Array, name = 'photo.jpg') =>
  receivePhoto(await market.ctx(seller), bytes, name);
const stored = () => [...market.storage.files.keys()];

describe('a photo', () => {
  for (const [kind, make] of [
    ['JPEG', photos.jpeg],
    ['PNG', photos.png],
    ['WebP', photos.webp],
  ] as const) {
    test(`may be a ${kind}`, async () => {
      const { image } = await receive(await make(200), 'anything.xyz');
      expect(image).toMatchObject({ width: 200, height: 133 });
    });
  }

  test('is stored as WebP in the widths that pages use, and no wider than it was', async () => {
    const { image } = await receive(await photos.jpeg(1500));
    expect(image.sources.map((source) => source.width)).toEqual([320, 720, 1280]);
    expect(stored()).toHaveLength(3);
    for (const [key, bytes] of market.storage.files) {
      const meta = await sharp(bytes).metadata();
      expect(meta.format).toBe('webp');
      expect(key).toContain(`-${meta.width}.webp`);
    }
    expect(
      (await receive(await photos.jpeg(500))).image.sources.map((source) => source.width),
    ).toEqual([320, 500]);
    expect([...photoWidths]).toEqual([320, 720, 1280]);
  });

  test('is turned upright and keeps neither place nor phone', async () => {
    const original = await photos.phonePhoto(900);
    expect((await sharp(original).metadata()).exif?.length).toBeGreaterThan(0);
    expect((await sharp(original).metadata()).orientation).toBe(6);
    const { image } = await receive(original);
    expect([image.width, image.height]).toEqual([600, 900]);
    for (const bytes of market.storage.files.values()) {
      const meta = await sharp(bytes).metadata();
      expect([meta.exif, meta.icc, meta.xmp, meta.orientation]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(Buffer.from(bytes).includes('Tecno')).toBe(false);
    }
  });

  test('gets a white ground where it was transparent', async () => {
    expect((await receive(await photos.transparentPng(64))).image.colour).toMatch(
      /^#f[0-9a-f]f[0-9a-f]f[0-9a-f]$/,
    );
  });

  test('gets a name of time and chance under products/, never its own', async () => {
    await receive(await photos.jpeg(), '../../etc/passwd.jpg');
    expect(stored()[0]).toMatch(/^products\/20261123T080000Z-[0-9a-z]{8}-120\.webp$/);
  });

  test('is reached under the URL that its answer names', async () => {
    const { image } = await receive(await photos.jpeg());
    const response = await market.request(image.src);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(120);
  });

  test.each([
    ['jpeg', 1],
    ['jpeg', 2],
    ['progressive', 1],
    ['progressive', 2],
  ] as const)('is taken as %s without its last %i bytes, the end marker', async (kind, bytes) => {
    const photo = (await photos.noisy[kind]()).subarray(0, -bytes);
    expect((await receive(photo)).image).toMatchObject({ width: 400, height: 300 });
  });

  test('belongs to who sent it and waits for a product', async () => {
    const { id } = await receive(await photos.jpeg());
    expect(await rows()).toMatchObject([
      { id, ownerId: seller.userId, productId: null, createdAt: market.clock.now() },
    ]);
  });
});

describe('a photo is refused by name', () => {
  const refusedPhotos: readonly (readonly [
    string,
    () => Uint8Array | Promise<Uint8Array>,
    `uploads.${'notImage' | 'cut' | 'wrongType' | 'tooBig' | 'tooManyPixels'}`,
  ])[] = [
    ['list.jpg, a text file', photos.textFile, 'uploads.notImage'],
    ['moving.gif, a GIF', photos.gif, 'uploads.wrongType'],
    ['drawing.svg, an SVG with a script', photos.svg, 'uploads.wrongType'],
    ['IMG_0001.heic, an iPhone’s photo', photos.heic, 'uploads.wrongType'],
    ['scan.bmp, a BMP', photos.bmp, 'uploads.wrongType'],
    ...Object.entries(photos.noisy).map(
      ([kind, photo]) =>
        [`half.${kind}, cut off on the way`, () => photos.halfOf(photo), 'uploads.cut'] as const,
    ),
    [
      'short.jpg, which lacks more than its end marker',
      async () => (await photos.noisy.progressive()).subarray(0, -8),
      'uploads.cut',
    ],
    ['nothing.jpg, an empty file', () => new Uint8Array(), 'uploads.notImage'],
    ['heavy.jpg, over 5 MB', photos.heavyJpeg, 'uploads.tooBig'],
    [
      'bomb.png, some kilobytes that unpack to 64 megapixels',
      photos.bombPng,
      'uploads.tooManyPixels',
    ],
  ];
  for (const [what, make, code] of refusedPhotos) {
    test(what, async () => {
      const name = what.split(',')[0] as string;
      const refusal = await refused(receive(await make(), name), code);
      expect(refusal.params.name).toBe(name);
      expect(stored()).toEqual([]);
      expect(await rows()).toEqual([]);
    });
  }

  test('at 5 MB and one byte, and not at 5 MB', async () => {
    expect(photoLimits.bytes).toBe(5 * 1024 * 1024);
    const image = await photos.jpeg();
    const padded = (size: number) => Buffer.concat([image, Buffer.alloc(size - image.length)]);
    await refused(
      preparePhoto(market.services, padded(photoLimits.bytes + 1), 'x'),
      'uploads.tooBig',
    );
    expect((await preparePhoto(market.services, padded(photoLimits.bytes), 'x')).width).toBe(120);
  });

  test('by who may not sell, before it is looked at', async () => {
    const bytes = photos.textFile();
    await refused(receivePhoto(await market.ctx(), bytes, 'x'), 'signInRequired');
    await refused(receivePhoto(await market.ctx(member), bytes, 'x'), 'sellers.profileMissing');
    await refused(receivePhoto(await market.ctx(suspendedSeller), bytes, 'x'), 'sellers.suspended');
    await refused(receivePhoto(await market.ctx(admin), bytes, 'x'), 'uploads.notImage');
  });

  test('when twenty-five of the same person wait already', async () => {
    const bytes = await photos.jpeg();
    for (let n = 0; n < 25; n++) await receive(bytes);
    const { code, params } = await refused(receive(bytes), 'uploads.tooMany');
    for (const language of languages)
      expect(translator(language, 'errors')(code, params), language).toMatch(/\b25 photos\b/);
    await uploadPhoto(market, otherSeller, bytes);
  });
});

test('many photos at once are judged a few at a time, and a bad one holds up nobody', async () => {
  const given = [
    await photos.jpeg(),
    photos.textFile(),
    await photos.png(),
    await photos.halfOf(photos.noisy.jpeg),
    await photos.webp(),
    await photos.jpeg(400),
  ];
  const outcomes = await Promise.allSettled(
    given.map((bytes, n) => preparePhoto(market.services, bytes, `photo ${n}`)),
  );
  expect(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.width : 'refused')),
  ).toEqual([120, 'refused', 120, 'refused', 120, 400]);
});

describe('when the storage fails', () => {
  for (const writes of [0, 1, 2]) {
    test(`at file ${writes + 1} of three, nothing is half-stored`, async () => {
      market.storage.failAfter(writes);
      await refused(receive(await photos.jpeg(1500)), 'uploads.storageUnavailable');
      expect(stored()).toEqual([]);
      expect(await rows()).toEqual([]);
    });
  }

  test('in the database after all files were written, the files go again', async () => {
    await market.db.execute(
      sql`alter table uploads add constraint no_more check (bytes < 0) not valid`,
    );
    try {
      await expect(receive(await photos.jpeg(1500))).rejects.toThrow();
    } finally {
      await market.db.execute(sql`alter table uploads drop constraint no_more`);
    }
    expect(stored()).toEqual([]);
  });
});

describe('taking a photo back', () => {
  test('removes files and row', async () => {
    const id = await uploadPhoto(market, seller);
    await discardPhoto(await market.ctx(seller), id);
    expect(stored()).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('is refused for somebody else’s, a used and an unknown one', async () => {
    const id = await uploadPhoto(market, seller);
    await refused(discardPhoto(await market.ctx(otherSeller), id), 'uploads.notFound');
    await refused(discardPhoto(await market.ctx(), id), 'signInRequired');
    await submitted(market, seller, { images: [id] });
    await refused(discardPhoto(await market.ctx(seller), id), 'uploads.notFound');
    await refused(discardPhoto(await market.ctx(seller), randomUUID()), 'uploads.notFound');
    expect(stored()).toHaveLength(1);
  });
});

describe('photos without a product', () => {
  test('go after 24 hours, with their files; used ones stay', async () => {
    await uploadPhoto(market, seller);
    await submitted(market, seller);
    market.clock.advance({ hours: 24 });
    expect(await cleanAbandonedUploads(market.job('clean-abandoned-uploads'))).toBe(0);
    market.clock.advance({ milliseconds: 1 });
    expect(await cleanAbandonedUploads(market.job('clean-abandoned-uploads'))).toBe(1);
    expect(stored()).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
    expect(await cleanAbandonedUploads(market.job('clean-abandoned-uploads'))).toBe(0);
  });
});

describe('the storage in a folder', () => {
  const { storage, folder } = temporaryDisk();
  const bytes = new Uint8Array([1, 2, 3]);

  test('gives back what it got, and nothing for what is not there', async () => {
    await storage.put('products/a-120.webp', bytes, 'image/webp');
    expect(await storage.get('products/a-120.webp')).toEqual(bytes);
    expect(await storage.get('products/b.webp')).toBeUndefined();
    await storage.delete(['products/a-120.webp', 'products/never.webp']);
    expect(await storage.get('products/a-120.webp')).toBeUndefined();
    await storage.probe();
  });

  test('leaves no half file beside a whole one', async () => {
    await storage.put('products/c.webp', bytes, 'image/webp');
    expect(readdirSync(join(folder, 'products')).filter((name) => name.endsWith('.part'))).toEqual(
      [],
    );
  });

  for (const key of [
    '../outside',
    'products/../../outside',
    '/etc/passwd',
    'products/',
    'products/a/b',
    'other/a',
    'products/.hidden',
    'products/a\0b',
    '',
  ]) {
    test(`neither writes nor reads ${JSON.stringify(key)}`, async () => {
      await expect(storage.put(key, bytes, 'image/webp')).rejects.toThrow('Not a storage key');
      expect(await storage.get(key)).toBeUndefined();
      await expect(storage.delete([key])).rejects.toThrow('Not a storage key');
    });
  }

  test('says plainly when it cannot be written to', async () => {
    const blocked = diskStorage('/proc/marche54');
    await refused(
      blocked.put('products/a.webp', bytes, 'image/webp'),
      'uploads.storageUnavailable',
    );
    await expect(blocked.probe()).rejects.toThrow();
    expect(existsSync('/proc/marche54')).toBe(false);
  });
});

const leftover = temporaryDisk();

describe('when the power goes while a photo is stored', () => {
  test('the cleaning finds whatever was written, since the row comes before the files', async () => {
    let written = 0;
    let died = () => {};
    const death = new Promise<void>((resolve) => (died = resolve));
    // The process dies at the second file: no cleanup runs.
    const dying = {
      ...market.storage,
      put: async (key: string, bytes: Uint8Array, type: string) => {
        if (written++ > 0) {
          died();
          return new Promise<void>(() => {});
        }
        return market.storage.put(key, bytes, type);
      },
    };
    void receivePhoto(
      await market.ctx(seller, { services: { ...market.services, storage: dying } }),
      await photos.jpeg(1500),
      'photo.jpg',
    );
    await death;
    expect(stored()).toHaveLength(1);
    market.clock.advance({ hours: 25 });
    expect(await cleanAbandonedUploads(market.job('clean-abandoned-uploads'))).toBe(1);
    expect(stored()).toEqual([]);
  });

  test('a file that was begun goes with its photo', async () => {
    const { storage, folder } = leftover;
    await storage.put('products/d.webp', new Uint8Array([1]), 'image/webp');
    writeFileSync(join(folder, 'products/d.webp.part'), 'half');
    await storage.delete(['products/d.webp']);
    expect(readdirSync(join(folder, 'products'))).toEqual([]);
  });
});
