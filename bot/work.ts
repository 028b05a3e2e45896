import {
  failUpdate,
  finishUpdate,
  messageOf,
  postponeUpdate,
  type TakenUpdate,
  takeUpdates,
} from '../api/chats/inbox.ts';
import { type Reply, writeReplies } from '../api/chats/replies.ts';
import type { Ctx } from '../api/core/context.ts';
import type { Transport } from '../api/people/chats.ts';
import { translator } from '../locales/index.ts';
import { type FetchPhoto, takePhotos } from './photos.ts';
import { answerMessage } from './turn.ts';

/** Messages that are worked on at once, never two of one chat; a connection to the database each. */
const atOnce = 6;
/** Those whose photos are being fetched are counted apart: a network that takes its time holds up nobody's words. The others with photos wait a moment. */
const fetchingAtOnce = 4;

export type Worker = { wake(): void; idle(): Promise<void>; stop(): Promise<void> };

/** Works on what came in, in order for each chat. Any number of wakings is one look. Photos are fetched as each transport hands them over. */
export function createWorker(
  ctx: Ctx,
  fetchPhoto: Partial<Record<Transport, FetchPhoto>> = {},
  momentMs = 2000,
): Worker {
  const underWay = new Set<Promise<void>>();
  let fetching = 0;
  let looking: Promise<void> | undefined;
  let again = false;
  /** The last look may have left something that was due. */
  let full = false;
  let stopped = false;
  const free = () => atOnce + fetching - underWay.size;

  /** Fetches the photos of a message, whose place is another's for as long. */
  async function photosOf(update: TakenUpdate, refs: Parameters<typeof takePhotos>[2] = []) {
    const fetch = fetchPhoto[update.transport];
    if (!fetch || refs.length === 0) return [];
    if (fetching >= fetchingAtOnce) return undefined;
    fetching++;
    if (full) wake();
    return takePhotos(ctx, update.keyHash, refs, fetch).finally(() => fetching--);
  }

  /** Answers whether another look is worth it. */
  async function answer(update: TakenUpdate): Promise<boolean> {
    try {
      const message = messageOf(ctx, update);
      const photos = await photosOf(update, message.photos);
      if (!photos) {
        await postponeUpdate(ctx, update, momentMs);
        setTimeout(wake, momentMs).unref();
        return full;
      }
      let ended: Awaited<ReturnType<typeof finishUpdate>>;
      const keep = async (tx: Ctx, replies: Reply[]) => {
        ended = await finishUpdate(tx, update, replies);
        return ended !== undefined;
      };
      await answerMessage(ctx, update.keyHash, message, keep, photos);
      return full || (ended?.more ?? true);
    } catch (error) {
      ctx.services.log.error('A message in a chat could not be answered', {
        chat: update.keyHash,
        attempts: update.attempts + 1,
        error,
      });
      // Nobody is left without an answer, and what came after it goes on.
      if (await failUpdate(ctx, update))
        await writeReplies(ctx, update, [{ text: translator(ctx.language, 'bot')('failed') }]);
      return true;
    }
  }

  async function look(): Promise<void> {
    while (again && !stopped) {
      again = false;
      const most = free();
      full = most <= 0;
      // Each that ends looks again.
      if (full) return;
      const taken = await takeUpdates(ctx, most);
      full = taken.length === most;
      for (const update of taken) {
        const way = answer(update)
          .catch((error) => {
            ctx.services.log.error(
              'What became of a message could not be kept: it is worked on again when its lease has run out',
              { error },
            );
            return true;
          })
          .then((more) => {
            underWay.delete(way);
            if (more) wake();
          });
        underWay.add(way);
      }
    }
  }

  function wake(): void {
    again = true;
    if (stopped) return;
    looking ??= look()
      .catch((error) =>
        ctx.services.log.error('What came in from chats could not be read', { error }),
      )
      .finally(() => {
        looking = undefined;
        if (again && free() > 0) wake();
      });
  }

  async function idle(): Promise<void> {
    while (looking || underWay.size > 0) await Promise.all([looking, ...underWay]);
  }

  return {
    wake,
    idle,
    async stop() {
      stopped = true;
      await idle();
    },
  };
}
