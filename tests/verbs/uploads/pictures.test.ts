import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PictureFailure, type Why } from '../../../api/pictures/child.ts';
import { type Message, pack, unpack } from '../../../api/pictures/frames.ts';
import {
  createPictures,
  type PictureLimits,
  type Pictures,
  pictureLimits,
} from '../../../api/pictures/pictures.ts';
import { kindOf } from '../../../api/uploads/rules.ts';
import * as photos from '../../support/photos.ts';

const root = new URL('../../../', import.meta.url).pathname;
const open: Pictures[] = [];
/** Generous timeouts by default, for a busy machine. */
function room(limits: Partial<PictureLimits> = {}): Pictures {
  const pictures = createPictures({ jobMs: 60_000, waitMs: 60_000, ...limits });
  open.push(pictures);
  return pictures;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((pictures) => pictures.close()));
});

const why = async (work: Promise<unknown>): Promise<Why | 'done'> =>
  work.then(
    () => 'done' as const,
    (error) => {
      if (error instanceof PictureFailure) return error.why;
      throw error;
    },
  );
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
const goes = (pid: number) =>
  vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 15_000, interval: 50 });

describe('a picture process', () => {
  test('is not started before there is work, and does one photo after the other', async () => {
    const pictures = room();
    expect(pictures.pids).toEqual([]);
    expect((await pictures.photo(await photos.jpeg(1500))).files.map((file) => file.width)).toEqual(
      [320, 720, 1280],
    );
    const [pid] = pictures.pids;
    expect((await pictures.photo(await photos.png(200))).files.map((file) => file.width)).toEqual([
      200,
    ]);
    expect(pictures.pids).toEqual([pid]);
  });

  test('decodes JPEG, PNG and WebP of strangers and nothing else, whatever reaches it', async () => {
    const pictures = room();
    for (const make of [photos.jpeg, photos.png, photos.webp])
      expect(await why(pictures.photo(await make()))).toBe('done');
    for (const bytes of [
      photos.svg(),
      photos.styleBomb(),
      await photos.gif(),
      photos.textFile(),
      new Uint8Array(),
    ])
      expect(await why(pictures.photo(bytes))).toBe('notImage');
    expect(pictures.pids).toHaveLength(1);
  });

  test('draws what is the market’s own', async () => {
    const pictures = room();
    const { width, height, files } = await pictures.drawing(photos.svg().toString(), 400);
    expect([width, height, files.length]).toEqual([400, 400, 2]);
    const largest = files.at(-1)?.bytes as Uint8Array;
    expect(
      Buffer.from(await pictures.avif(largest, { width: 320, quality: 48, effort: 0 })).toString(
        'latin1',
        4,
        12,
      ),
    ).toBe('ftypavif');
  });

  test('knows no secret, and stands back behind people', async () => {
    process.env.SECRET_OF_THE_MARKET = 'a signing key';
    const pictures = room();
    await pictures.photo(await photos.jpeg());
    delete process.env.SECRET_OF_THE_MARKET;
    const [pid = 0] = pictures.pids;
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('SECRET');
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
    for (const thread of readdirSync(`/proc/${pid}/task`))
      expect(getPriority(Number(thread))).toBe(5);
  });

  test('is the only place that loads the decoder', () => {
    const loaders = ['api', 'db', 'jobs', 'bot', 'site/src', 'site/adapter', 'locales'].flatMap(
      (folder) =>
        readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
          .filter(
            (file) =>
              /\.(ts|tsx|astro)$/.test(file) &&
              /(from|import|require)\s*\(?['"]sharp['"]/.test(
                readFileSync(`${root}${folder}/${file}`, 'utf8'),
              ),
          )
          .map((file) => `${folder}/${file}`),
    );
    expect(loaders).toEqual(['api/pictures/work.ts']);
    const importers = readdirSync(`${root}api`, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        file.endsWith('.ts') &&
        /from '[./a-z]*\/work\.ts'/.test(readFileSync(`${root}api/${file}`, 'utf8')),
    );
    expect(importers).toEqual(['pictures/worker.ts']);
  });
});

describe('a file that is too much', () => {
  test('has too many pixels along one side, and is not decoded', async () => {
    const thin = photos.bombPng(1, 39_000_000);
    expect(thin.byteLength).toBeLessThan(200_000);
    expect(await why(room().photo(thin))).toBe('tooManyPixels');
    expect(await why(room().photo(photos.bombPng(16_385, 8)))).toBe('tooManyPixels');
    expect(await why(room().photo(photos.bombPng(16_384, 8)))).toBe('done');
  });

  test('is ended at its time, and the next one gets a process of its own', async () => {
    const pictures = room({ jobMs: 1 });
    const bytes = await photos.jpeg();
    expect(await why(pictures.photo(bytes))).toBe('tooLong');
    expect(pictures.pids).toEqual([]);
    expect(await why(pictures.photo(bytes))).toBe('tooLong');
  });

  test('is ended when it takes too much memory', async () => {
    const pictures = room({ memoryBytes: 1 });
    expect(await why(pictures.photo(photos.bombPng(6000)))).toBe('tooHeavy');
    expect(pictures.pids).toEqual([]);
  });

  test('takes nothing but its own process with it', async () => {
    const pictures = room();
    const bytes = await photos.jpeg();
    await pictures.photo(bytes);
    const [pid = 0] = pictures.pids;
    const work = why(pictures.photo(photos.bombPng(6000)));
    process.kill(pid, 'SIGKILL');
    expect(await work).toBe('died');
    expect(await why(pictures.photo(bytes))).toBe('done');
    expect(pictures.pids).not.toContain(pid);
  });
});

describe('processes end', () => {
  test('when they die idle, and the next photo starts another', async () => {
    const pictures = room();
    const bytes = await photos.jpeg();
    await pictures.photo(bytes);
    const [pid = 0] = pictures.pids;
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(pictures.pids).toEqual([]), { timeout: 15_000 });
    expect(await why(pictures.photo(bytes))).toBe('done');
  });

  test('by themselves when there is nothing to do, and a photo that comes at that moment loses nothing', async () => {
    const pictures = room({ idleMs: 1 });
    const bytes = await photos.jpeg();
    for (let n = 0; n < 5; n++) expect(await why(pictures.photo(bytes))).toBe('done');
    await vi.waitFor(() => expect(pictures.pids).toEqual([]), { timeout: 15_000 });
  });

  test('with the room: what is at work or waits is refused', async () => {
    const pictures = room({ atOnce: 1 });
    const bytes = await photos.jpeg();
    await pictures.photo(bytes);
    const { pids } = pictures;
    const under = [why(pictures.photo(photos.bombPng(6000))), why(pictures.photo(bytes))];
    await pictures.close();
    expect(await Promise.all(under)).toEqual(['busy', 'busy']);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await why(pictures.photo(bytes))).toBe('busy');
  });

  test('when the server was killed', async () => {
    const server = spawn(process.execPath, [`${root}tests/support/pictureServer.ts`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const pid = await new Promise<number>((resolve) =>
        server.stdout.once('data', (line) => resolve(Number(line))),
      );
      expect(isAlive(pid)).toBe(true);
      server.kill('SIGKILL');
      await goes(pid);
    } finally {
      server.kill('SIGKILL');
    }
  });
});

describe('a crowd', () => {
  test('waits in a bounded line: who finds it full is told so', async () => {
    const pictures = room({ atOnce: 1, mostWaiting: 1 });
    const bytes = await photos.jpeg();
    expect(
      await Promise.all(['a', 'b', 'c'].map((owner) => why(pictures.photo(bytes, owner)))),
    ).toEqual(['done', 'done', 'busy']);
    expect(await why(pictures.photo(bytes, 'c'))).toBe('done');
  });

  test('waits no longer than it is told', async () => {
    const pictures = room({ atOnce: 1, waitMs: 1 });
    const bytes = await photos.jpeg();
    expect(await Promise.all(['a', 'b'].map((owner) => why(pictures.photo(bytes, owner))))).toEqual(
      ['done', 'busy'],
    );
  });

  test('is judged two at a time, one of each person', async () => {
    const pictures = room({ mostWaiting: 0 });
    const bytes = await photos.jpeg();
    expect(
      await Promise.all(['a', 'a', 'b', 'c'].map((owner) => why(pictures.photo(bytes, owner)))),
    ).toEqual(['done', 'busy', 'done', 'busy']);
    expect(pictures.pids).toHaveLength(2);
  });

  test('of one person waits for each other, and others pass', async () => {
    const pictures = room({ mostWaiting: 2 });
    const bytes = await photos.jpeg();
    // Two of a's fill the queue: if b waited behind them, b would get "busy", as c does.
    expect(
      await Promise.all(
        ['a', 'a', 'a', 'b', 'c'].map((owner) => why(pictures.photo(bytes, owner))),
      ),
    ).toEqual(['done', 'done', 'done', 'done', 'busy']);
  });

  test('waits less, with the judging, than the form waits for an answer', () => {
    expect(pictureLimits.waitMs + pictureLimits.jobMs).toBeLessThan(45_000);
  });
});

test('messages arrive whole, however the pipe cuts them', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          head: fc.record({ word: fc.string() }),
          files: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 3 }),
        }),
        { maxLength: 4 },
      ),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (messages, cuts) => {
        const taken: Message[] = [];
        const read = unpack((message) => taken.push(message));
        let bytes = Buffer.concat(messages.map(pack));
        for (let n = 0; bytes.byteLength > 0; n++) {
          const cut = cuts[n % cuts.length] as number;
          read(new Uint8Array(bytes.subarray(0, cut)));
          bytes = bytes.subarray(cut);
        }
        expect(taken).toEqual(messages);
      },
    ),
  );
});

test('a message that says it is endless is refused at once', () => {
  expect(() => unpack(() => {})(new Uint8Array([255, 255, 255, 255]))).toThrow('too long');
});

test('a photo, and an image of another type, is known by its first bytes', async () => {
  for (const make of [photos.jpeg, photos.png, photos.webp])
    expect(kindOf(await make())).toBe('photo');
  for (const bytes of [
    photos.svg(),
    await photos.gif(),
    photos.heic(),
    photos.bmp(),
    await photos.avif(),
    await photos.tiff(),
  ])
    expect(kindOf(bytes)).toBe('otherImage');
  const words = Buffer.from('BMW, good as new, two doors');
  for (const bytes of [photos.textFile(), words, new Uint8Array(), new Uint8Array([0xff, 0xd8])])
    expect(kindOf(bytes)).toBe('other');
});
