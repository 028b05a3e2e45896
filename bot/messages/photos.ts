import { contextIn } from '../../api/chats/chat.ts';
import type { PhotoRef } from '../../api/core/chatMessages.ts';
import type { Ctx } from '../../api/core/context.ts';
import { photoLimits } from '../../api/pictures/limits.ts';
import { Refusal } from '../../api/shared/errors.ts';
import { receivePhoto } from '../../api/uploads/receive.ts';
import type { TakenPhoto } from '../answers/types.ts';

/**
 * Throws a {@link Refusal} to answer the sender (`uploads.tooBig`, `uploads.notImage`); after other
 * errors the message is retried.
 */
export type FetchPhoto = (ref: string, most: number, signal: AbortSignal) => Promise<Uint8Array>;

export const tooBig = (most: number) =>
  new Refusal('uploads.tooBig', { name: 'photo', max: most / 1024 / 1024 });

/** Milliseconds; a slower fetch is retried later. */
const fetchMs = 20_000;
/** Refusals that pass by themselves; the message is retried. */
const passing = new Set([
  'uploads.busy',
  'uploads.tooManyAtOnce',
  'uploads.storageUnavailable',
  'uploads.tooSlow',
]);

/**
 * Stores a message's photos as the sender's uploads, with the web's rules. Runs before the turn,
 * outside its transaction; fetches nothing for people who may not sell.
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
  // Fetched only once admitted.
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
