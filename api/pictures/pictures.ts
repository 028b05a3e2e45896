import { PictureFailure } from './child.ts';
import type { CardPlan } from './jobs.ts';
import type { PreparedPhoto } from './limits.ts';
import { createPool } from './pool.ts';

/** Work on pictures, done in processes of its own (decision 026). Everything rejects with a {@link PictureFailure}. */
export type Pictures = {
  /**
   * Judges a stranger's photo and re-encodes it in the widths that pages use.
   * @param owner whose photo it is: one of each person is judged at a time
   */
  photo(bytes: Uint8Array, owner?: string): Promise<PreparedPhoto>;
  /** Photographs a drawing of the market's own in a square of `size` pixels, and prepares it as a photo. */
  drawing(svg: string, size: number): Promise<PreparedPhoto>;
  /** A stored photo as AVIF of a width. */
  avif(
    bytes: Uint8Array,
    options: { width: number; quality: number; effort: number },
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** A stored photo as JPEG, no wider than this: what every chat network takes. */
  jpeg(bytes: Uint8Array, width: number): Promise<Uint8Array<ArrayBuffer>>;
  /** A share card as JPEG: the SVG over paper, and below it the picture. */
  card(plan: CardPlan, overlay: string, picture?: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** The processes that are there now. */
  readonly pids: number[];
  /** Ends all processes; what was under way is refused. */
  close(): Promise<void>;
};

/**
 * `jobMs` and `memoryBytes` bound one photo of a stranger; `atOnce` of them are judged together while `mostWaiting` wait, for `waitMs` at
 * most. A process ends when it was idle for `idleMs`.
 */
export type PictureLimits = {
  jobMs: number;
  memoryBytes: number;
  atOnce: number;
  mostWaiting: number;
  waitMs: number;
  idleMs: number;
};

/** What a photo's wait and its judging add up to stays below the 45 seconds after which the form takes a line for dead. */
export const pictureLimits: PictureLimits = {
  jobMs: 20_000,
  memoryBytes: 768 * 1024 * 1024,
  atOnce: 2,
  mostWaiting: 12,
  waitMs: 20_000,
  idleMs: 30_000,
};

/** Opens the picture room. No process is started before there is work. */
export function createPictures(options: Partial<PictureLimits> = {}): Pictures {
  const { jobMs, memoryBytes, idleMs, ...crowd } = { ...pictureLimits, ...options };
  const photos = createPool({
    kind: 'photos',
    ...crowd,
    idleMs,
    limits: { ms: jobMs, memory: memoryBytes },
  });
  // Nobody outside decides how many of these there are.
  const endless = { mostWaiting: Number.POSITIVE_INFINITY, waitMs: Number.POSITIVE_INFINITY };
  const drawings = createPool({
    kind: 'drawings',
    atOnce: 2,
    ...endless,
    idleMs,
    limits: { ms: 60_000, memory: 1024 * 1024 * 1024 },
  });

  return {
    photo: async (bytes, owner) => prepared(await photos.run({ task: 'photo' }, [bytes], owner)),
    drawing: async (svg, size) =>
      prepared(await drawings.run({ task: 'drawing', size }, [Buffer.from(svg)])),
    avif: async (bytes, options) => only(await drawings.run({ task: 'avif', ...options }, [bytes])),
    jpeg: async (bytes, width) => only(await drawings.run({ task: 'jpeg', width }, [bytes])),
    card: async (card, overlay, picture) =>
      only(
        await drawings.run({ task: 'card', hasPicture: picture !== undefined, card }, [
          Buffer.from(overlay),
          ...(picture ? [picture] : []),
        ]),
      ),
    get pids() {
      return [...photos.pids, ...drawings.pids];
    },
    async close() {
      await Promise.all([photos.close(), drawings.close()]);
    },
  };
}

type Made = Awaited<ReturnType<ReturnType<typeof createPool>['run']>>;

function prepared({ head, files }: Made): PreparedPhoto {
  if (!('photo' in head) || head.photo.widths.length !== files.length)
    throw new PictureFailure('failed', 'the answer is no photo');
  const { widths, ...photo } = head.photo;
  return {
    ...photo,
    files: files.map((bytes, index) => ({ width: widths[index] as number, bytes })),
  };
}

function only({ files: [file] }: Made): Uint8Array<ArrayBuffer> {
  if (!file) throw new PictureFailure('failed', 'the answer is empty');
  return file as Uint8Array<ArrayBuffer>;
}
