import { Refusal } from '../core/errors.ts';
import type { Hold } from '../core/http.ts';
import { photoLimits } from '../pictures/limits.ts';

/** A line on which a body arrives: what the request said of its length, in bytes, and how to keep its connection. */
export type Line = {
  body: ReadableStream<Uint8Array> | null;
  declared: number | undefined;
  hold: Hold;
};

/** How slow a line may be. */
export type Pace = {
  /** A line on which nothing arrives for so long is cut, in milliseconds. */
  silenceMs: number;
  /** In each window of so many milliseconds at least so many bytes must arrive: a line that trickles is cut. */
  windowMs: number;
  windowBytes: number;
};

/** How long a refused line stays open for its answer to be read, in seconds, while the rest of the body is still on its way. */
const farewell = 2;

/**
 * Reads a photo's body as it comes, however slow, as long as it comes at all. Each piece is counted before it is kept. Refuses
 * `uploads.tooBig`, `uploads.tooSlow` and what `keep` refuses; the line is closed then.
 * @param keep counts bytes that are about to be kept
 */
export async function readBody(
  { body, declared, hold }: Line,
  name: string,
  pace: Pace,
  keep: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  const pieces: Uint8Array[] = [];
  let total = 0;
  let refusal: Refusal | undefined;
  let windowBytes = 0;
  let windowFrom = performance.now();
  let heard = windowFrom;

  const look = () => {
    const now = performance.now();
    if (
      now - heard >= pace.silenceMs ||
      (now - windowFrom >= pace.windowMs && windowBytes < pace.windowBytes)
    ) {
      refusal = new Refusal('uploads.tooSlow', { name });
      // A read that waits ends with this.
      void reader?.cancel().catch(() => {});
      return;
    }
    if (now - windowFrom >= pace.windowMs) {
      windowFrom = now;
      windowBytes = 0;
    }
    // The server's own timeout counts from the beginning of the request; this begins it again.
    hold(60);
  };
  const watch = setInterval(look, pace.silenceMs / 6);
  hold(60);
  try {
    if ((declared ?? 0) > photoLimits.bytes) throw new Refusal('uploads.tooBig', { name, max: 5 });
    while (reader) {
      const { done, value } = await reader.read();
      if (refusal) throw refusal;
      if (done) break;
      heard = performance.now();
      total += value.byteLength;
      windowBytes += value.byteLength;
      if (total > photoLimits.bytes) throw new Refusal('uploads.tooBig', { name, max: 5 });
      keep(value.byteLength);
      pieces.push(value);
    }
  } catch (error) {
    dismiss({ body, hold });
    void reader?.cancel().catch(() => {});
    // The reader of a line that was closed says so in words of its own; nobody is there to read ours.
    if (error instanceof Refusal) throw error;
    throw new Refusal('uploads.tooSlow', { name }, [], { cause: error });
  } finally {
    clearInterval(watch);
  }
  return Buffer.concat(pieces, total);
}

/** Lets go of a line whose body is not wanted: it is closed shortly, whatever still comes. */
export function dismiss({ body, hold }: Pick<Line, 'body' | 'hold'>): void {
  if (body) hold(farewell);
}
