import { markFileNames } from '../shared/brand/mark.ts';
import { PictureFailure } from './child.ts';
import type { CardPlan } from './jobs.ts';
import type { PreparedPhoto } from './limits.ts';
import { createPool } from './pool.ts';

/** Picture work in separate processes (decision 026). Rejects with a {@link PictureFailure}. */
export type Pictures = {
  /**
   * Validates and re-encodes a stranger's photo.
   * @param owner only one photo per owner is processed at a time
   */
  photo(bytes: Uint8Array, owner?: string): Promise<PreparedPhoto>;
  /** Validates a stranger's picture, and writes the files of a mark (shared/brand/mark.ts) as PNG. */
  mark(bytes: Uint8Array, owner?: string): Promise<Uint8Array<ArrayBuffer>[]>;
  /** Renders our own drawing in a square of `size` pixels and prepares it as a photo. */
  drawing(svg: string, size: number): Promise<PreparedPhoto>;
  avif(
    bytes: Uint8Array,
    options: { width: number; quality: number; effort: number },
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** JPEG of at most this width, which every chat network accepts. */
  jpeg(bytes: Uint8Array, width: number): Promise<Uint8Array<ArrayBuffer>>;
  card(plan: CardPlan, overlay: string, picture?: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  readonly pids: number[];
  close(): Promise<void>;
};

/** `jobMs` and `memoryBytes` limit one stranger's photo; `waitMs` is the longest wait. */
export type PictureLimits = {
  jobMs: number;
  memoryBytes: number;
  atOnce: number;
  mostWaiting: number;
  waitMs: number;
  idleMs: number;
};

/** Waiting and processing together stay below the 45 s after which the form gives up. */
export const pictureLimits: PictureLimits = {
  jobMs: 20_000,
  memoryBytes: 768 * 1024 * 1024,
  atOnce: 2,
  mostWaiting: 12,
  waitMs: 20_000,
  idleMs: 30_000,
};

export function createPictures(options: Partial<PictureLimits> = {}): Pictures {
  const { jobMs, memoryBytes, idleMs, ...crowd } = { ...pictureLimits, ...options };
  const photos = createPool({
    kind: 'photos',
    ...crowd,
    idleMs,
    limits: { ms: jobMs, memory: memoryBytes },
  });
  // Unlimited, because outsiders cannot create these jobs.
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
    mark: async (bytes, owner) => allOf(await photos.run({ task: 'mark' }, [bytes], owner)),
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

function allOf({ files }: Made): Uint8Array<ArrayBuffer>[] {
  if (files.length !== markFileNames.length)
    throw new PictureFailure('failed', 'the answer is no mark');
  return files as Uint8Array<ArrayBuffer>[];
}

function only({ files: [file] }: Made): Uint8Array<ArrayBuffer> {
  if (!file) throw new PictureFailure('failed', 'the answer is empty');
  return file as Uint8Array<ArrayBuffer>;
}
