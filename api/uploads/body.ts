import type { UploadBody } from '../core/ports.ts';
import { photoLimits } from '../pictures/limits.ts';
import { Refusal } from '../shared/errors.ts';

export type Pace = {
  /** Longest pause in milliseconds. */
  silenceMs: number;
  /** Each window must bring `windowBytes`, or the upload is cut. */
  windowMs: number;
  windowBytes: number;
  /** The server's timeout, restarted at every look at the pace. */
  holdSeconds: number;
};

/** Seconds for the client to read a refusal while it still sends. */
const farewell = 2;

/**
 * Reads a photo's body at any steady pace. Closes the connection on refusals: `uploads.tooBig`,
 * `uploads.tooSlow` and those of `keep`.
 * @param keep counts bytes before they are kept in memory
 */
export async function readBody(
  { body, declared, hold }: UploadBody,
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
      // Ends the pending read.
      void reader?.cancel().catch(() => {});
      return;
    }
    if (now - windowFrom >= pace.windowMs) {
      windowFrom = now;
      windowBytes = 0;
    }
    // The server's timeout counts from the start of the request; this restarts it.
    hold(pace.holdSeconds);
  };
  const watch = setInterval(look, pace.silenceMs / 6);
  hold(pace.holdSeconds);
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
    // The connection broke, so nobody reads this answer.
    if (error instanceof Refusal) throw error;
    throw new Refusal('uploads.tooSlow', { name }, [], { cause: error });
  } finally {
    clearInterval(watch);
  }
  return Buffer.concat(pieces, total);
}

/** Closes the connection of an unwanted body shortly, even if more arrives. */
export function dismiss({ body, hold }: Pick<UploadBody, 'body' | 'hold'>): void {
  if (body) hold(farewell);
}
