import {
  failUpdate,
  finishUpdate,
  messageOf,
  postponeUpdate,
  type TakenUpdate,
  takeUpdates,
} from '../api/chats/inbox.ts';
import { writeReplies } from '../api/chats/replies.ts';
import type { Reply } from '../api/core/chatMessages.ts';
import type { Ctx } from '../api/core/context.ts';
import type { Transport } from '../api/people/chats.ts';
import { translator } from '../locales/index.ts';
import { type FetchPhoto, takePhotos } from './photos.ts';
import { answerMessage } from './turn.ts';

/** Messages handled at once, never two of one chat; each takes a database connection. */
const atOnce = 6;
/** Photo downloads have their own limit, so that a slow transport never delays texts. */
const fetchingAtOnce = 4;

export type Worker = { wake(): void; idle(): Promise<void>; stop(): Promise<void> };

/** Handles incoming messages, in order per chat. Several wake-ups cause one query. */
export function createWorker(
  ctx: Ctx,
  fetchPhoto: Partial<Record<Transport, FetchPhoto>> = {},
  momentMs = 2000,
): Worker {
  const underWay = new Set<Promise<void>>();
  let fetching = 0;
  let looking: Promise<void> | undefined;
  let again = false;
  /** The last query may have left due messages. */
  let full = false;
  let stopped = false;
  const free = () => atOnce + fetching - underWay.size;

  /** Undefined if too many are being fetched. The message's place is free meanwhile. */
  async function photosOf(update: TakenUpdate, refs: Parameters<typeof takePhotos>[2] = []) {
    const fetch = fetchPhoto[update.transport];
    if (!fetch || refs.length === 0) return [];
    if (fetching >= fetchingAtOnce) return undefined;
    fetching++;
    if (full) wake();
    return takePhotos(ctx, update.keyHash, refs, fetch).finally(() => fetching--);
  }

  /** Returns true if another query may find messages. */
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
      // Later messages of the chat go on.
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
      // Each finished message triggers the next query.
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
