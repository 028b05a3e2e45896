import { contextIn } from '../api/chats/chat.ts';
import type { PhotoRef } from '../api/chats/inbox.ts';
import type { Ctx } from '../api/core/context.ts';
import { Refusal } from '../api/core/errors.ts';
import { photoLimits } from '../api/pictures/limits.ts';
import { receivePhoto } from '../api/uploads/receive.ts';
import type { TakenPhoto } from './conversation/types.ts';

/**
 * How a transport hands over a photo: at most so many bytes. A {@link Refusal} is said to who sent it (`uploads.tooBig`, `uploads.notImage`); whatever
 * else is thrown is tried again with the message.
 */
export type FetchPhoto = (ref: string, most: number, signal: AbortSignal) => Promise<Uint8Array>;

/** What is said of a photo that is larger. */
export const tooBig = (most: number) =>
  new Refusal('uploads.tooBig', { name: 'photo', max: most / 1024 / 1024 });

/** A transport that has not handed a photo over by then is asked again later. */
const fetchMs = 20_000;
/** What is over by itself: the message is tried again. */
const passing = new Set([
  'uploads.busy',
  'uploads.tooManyAtOnce',
  'uploads.storageUnavailable',
  'uploads.tooSlow',
]);

/**
 * Fetches, judges and stores the photos of a message as uploads of whoever writes, ahead of the turn and outside of its transaction: by the same door keeper,
 * limits and checks as on the web. Nothing is fetched for a stranger, nor for whoever may not sell.
 */
export async function takePhotos(
  host: Ctx,
  keyHash: string,
  photos: readonly PhotoRef[],
  fetchPhoto: FetchPhoto,
): Promise<TakenPhoto[]> {
  const ctx = await contextIn(host, keyHash);
  const seller = ctx && 'seller' in ctx.actor ? ctx.actor.seller : null;
  if (!ctx || !seller || seller.suspended) return [];
  const taken: TakenPhoto[] = [];
  for (const { ref, album } of photos) {
    const photo = await take(ctx, ref, fetchPhoto).catch((error) => {
      if (error instanceof Refusal && !passing.has(error.code)) return { refused: error };
      throw error;
    });
    taken.push({ ...photo, ...(album === undefined ? {} : { album }) });
  }
  return taken;
}

async function take(ctx: Ctx, ref: string, fetchPhoto: FetchPhoto): Promise<{ id: string }> {
  const name = 'photo';
  let failure: unknown;
  // Fetched when it is admitted, not before.
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(line) {
        try {
          line.enqueue(await fetchPhoto(ref, photoLimits.bytes, AbortSignal.timeout(fetchMs)));
          line.close();
        } catch (error) {
          failure = error;
          line.error(error);
        }
      },
    },
    { highWaterMark: 0 },
  );
  try {
    const { id } = await ctx.services.reception.receive(
      ctx,
      name,
      { body, declared: undefined, hold: () => {} },
      (bytes) => receivePhoto(ctx, bytes, name),
    );
    return { id };
  } catch (error) {
    throw failure ?? error;
  }
}
