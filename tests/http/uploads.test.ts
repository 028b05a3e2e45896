import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PictureFailure } from '../../api/pictures/child.ts';
import { receptionLimits } from '../../api/uploads/reception.ts';
import { schema } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { type Caller, testApp } from '../support/app.ts';
import * as photos from '../support/photos.ts';
import { plain } from '../support/text.ts';

const market = await testApp();
const { database } = market;
const { seller, otherSeller, member } = await actors(market);
beforeEach(async () => {
  await market.reset();
  await market.db.delete(schema.rateLimit);
});
// Frees the upload slots of a failed test for the next.
const standingBodies: (() => void)[] = [];
afterEach(() => {
  for (const end of standingBodies.splice(0)) end();
});

type Body = RequestInit['body'];
const send = (
  app: typeof market,
  body: Body,
  as: Caller = seller,
  headers: Record<string, string> = {},
) =>
  app.call('/api/uploads', {
    method: 'POST',
    body: body as never,
    as,
    headers: { 'x-file-name': 'etal.jpg', ...headers },
  });
const outcome = async (answer: ReturnType<typeof send>) => {
  const { status, body, headers } = await answer;
  return [status, status === 201 ? 'received' : body.error.code, headers.get('retry-after')];
};
const photo = new Uint8Array(await photos.jpeg());

/** A body that sends nothing until released; counts the reads. */
function standing() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { asked: 0, end: resolve };
  standingBodies.push(resolve);
  const stream = new ReadableStream(
    {
      async pull(controller) {
        state.asked++;
        await promise;
        controller.enqueue(photo);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(state, { stream });
}

/** An endless body, a megabyte at a time. */
function endless() {
  const state = { megabytes: 0 };
  const stream = new ReadableStream(
    {
      pull(controller) {
        state.megabytes++;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(0xff));
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(state, { stream });
}

describe('a photo’s body', () => {
  test('is not read before its sender may send one', async () => {
    for (const as of [undefined, member]) {
      const body = standing();
      const { status } = await market.call('/api/uploads', {
        method: 'POST',
        body: body.stream as never,
        ...(as ? { as } : {}),
      });
      expect([401, 403]).toContain(status);
      expect(body.asked).toBe(0);
    }
  });

  test('is not read when as many photos wait as one may have', async () => {
    const image = { width: 1, height: 1, widths: [1], colour: '#000000' };
    const waiting = Array.from({ length: 25 }, (_, n) => ({
      key: `products/${n}`,
      ownerId: seller.userId,
      image: { key: `products/${n}`, ...image },
      bytes: 1,
      createdAt: market.clock.now(),
    }));
    await market.db.insert(schema.uploads).values(waiting);
    const body = standing();
    expect(await outcome(send(market, body.stream))).toEqual([400, 'uploads.tooMany', null]);
    expect(body.asked).toBe(0);
  });

  test('is cut as soon as it passes 5 MB, when it does not say how long it is', async () => {
    const body = endless();
    expect(await outcome(send(market, body.stream))).toEqual([413, 'uploads.tooBig', null]);
    expect(body.megabytes).toBe(6);
    expect(market.services.reception.held).toBe(0);
  });

  test('is cut as well when it said less than it sends', async () => {
    const body = endless();
    expect(
      await outcome(send(market, body.stream, seller, { 'content-length': '5000000' })),
    ).toEqual([413, 'uploads.tooBig', null]);
    expect(body.megabytes).toBe(6);
  });

  test('is not read when it says itself that it is over 5 MB', async () => {
    const body = standing();
    expect(
      await outcome(
        send(market, body.stream, seller, { 'content-length': String(5 * 1024 * 1024 + 1) }),
      ),
    ).toEqual([413, 'uploads.tooBig', null]);
    expect(body.asked).toBe(0);
  });

  test('is refused when the market holds as much as it may, and what was held is let go', async () => {
    const narrow = await testApp({ database, reception: { bytes: 3 * 1024 * 1024 } });
    const body = endless();
    expect(await outcome(send(narrow, body.stream))).toEqual([503, 'uploads.busy', '15']);
    expect(body.megabytes).toBe(4);
    expect(narrow.services.reception.held).toBe(0);
    expect(await outcome(send(narrow, photo))).toEqual([201, 'received', null]);
  });

  test('keeps its line only for who may send it', async () => {
    const hold = vi.fn();
    const ask = (as?: Caller) =>
      market.app.fetch(
        new Request('http://market.test/api/uploads', {
          method: 'POST',
          body: photo,
          headers: { cookie: as?.jar.header() ?? '' },
        }),
        {
          address: '10.0.0.1',
          hold,
        },
      );
    await ask();
    await ask(member);
    expect(hold).not.toHaveBeenCalled();
    expect((await ask(seller)).status).toBe(201);
    // During the upload, and during processing.
    expect(hold.mock.calls).toEqual([[60], [120]]);
  });
});

describe('one account', () => {
  test('sends three photos at once and no more; others send theirs', async () => {
    const bodies = [standing(), standing(), standing()];
    const answers = bodies.map((body) => outcome(send(market, body.stream)));
    await vi.waitFor(() => expect(bodies.map((body) => body.asked)).toEqual([1, 1, 1]), {
      timeout: 15_000,
    });
    const fourth = standing();
    expect(await outcome(send(market, fourth.stream))).toEqual([
      429,
      'uploads.tooManyAtOnce',
      '30',
    ]);
    expect(fourth.asked).toBe(0);
    expect(await outcome(send(market, photo, otherSeller))).toEqual([201, 'received', null]);
    for (const body of bodies) body.end();
    expect(await Promise.all(answers)).toEqual(Array(3).fill([201, 'received', null]));
    expect(await outcome(send(market, photo))).toEqual([201, 'received', null]);
  });

  test('sends so many an hour, counted for all processes', async () => {
    expect(receptionLimits.perHour).toBe(120);
    const [one, other] = [
      await testApp({ database, reception: { perHour: 2 } }),
      await testApp({ database, reception: { perHour: 2 } }),
    ];
    expect(await outcome(send(one, photo))).toEqual([201, 'received', null]);
    expect(await outcome(send(other, photo))).toEqual([201, 'received', null]);
    const third = standing();
    expect(await outcome(send(one, third.stream))).toEqual([429, 'uploads.tooOften', '3600']);
    expect(third.asked).toBe(0);
    expect(await outcome(send(one, photo, otherSeller))).toEqual([201, 'received', null]);
    one.clock.advance({ hours: 1 });
    expect(await outcome(send(one, photo))).toEqual([201, 'received', null]);
  });

  test('pays with twenty for a photo whose process had to be ended', async () => {
    const strict = await testApp({ database, reception: { perHour: 20 } });
    const failing = vi
      .spyOn(strict.services.pictures, 'photo')
      .mockRejectedValue(new PictureFailure('tooLong'));
    try {
      const { status, body } = await strict.call('/api/uploads', {
        method: 'POST',
        body: photo,
        as: seller,
        language: 'fr',
        headers: { 'x-file-name': 'etal.jpg' },
      });
      expect([status, plain(body.error.message).slice(0, 52)]).toEqual([
        400,
        'La photo « etal.jpg » demande trop de travail pour ê',
      ]);
    } finally {
      failing.mockRestore();
    }
    expect(await outcome(send(strict, photo))).toEqual([429, 'uploads.tooOften', '3600']);
    expect(await outcome(send(strict, photo, otherSeller))).toEqual([201, 'received', null]);
  });
});

test('when too many photos wait, a photo is refused with a time to come back', async () => {
  const busy = vi
    .spyOn(market.services.pictures, 'photo')
    .mockRejectedValue(new PictureFailure('busy'));
  try {
    expect(await outcome(send(market, photo))).toEqual([503, 'uploads.busy', '15']);
  } finally {
    busy.mockRestore();
  }
  expect(await outcome(send(market, photo))).toEqual([201, 'received', null]);
});

test('a refused photo is answered with the rule that it breaks first, and that the others are kept (product §5)', async () => {
  const rules = [
    [photos.textFile(), 'File must be an image', 'Le fichier doit être une image'],
    [
      await photos.gif(),
      'File type must be one of: JPEG, PNG, WebP',
      'Le fichier doit être de l’un de ces types : JPEG, PNG, WebP',
    ],
    [
      await photos.heavyJpeg(),
      'File size must be less than 5MB',
      'Le fichier doit peser moins de 5 Mo',
    ],
  ] as const;
  for (const [bytes, en, fr] of rules) {
    for (const [language, rule, kept] of [
      ['en', en, '. “étal.gif” was not added. Your other photos are kept. '],
      [
        'fr',
        fr,
        '. La photo « étal.gif » n’a pas été ajoutée. Vos autres photos sont conservées. ',
      ],
    ] as const) {
      const headers = { 'x-file-name': encodeURIComponent('étal.gif'), 'x-language': language };
      const { body } = await send(market, new Uint8Array(bytes), seller, headers);
      expect(plain(body.error.message).slice(0, rule.length + kept.length)).toBe(rule + kept);
    }
  }
});

test('an SVG is refused by its first bytes, without a process that reads it', async () => {
  const judged = vi.spyOn(market.services.pictures, 'photo');
  expect(await outcome(send(market, new Uint8Array(photos.styleBomb(60_000))))).toEqual([
    400,
    'uploads.wrongType',
    null,
  ]);
  expect(judged).not.toHaveBeenCalled();
  judged.mockRestore();
});
