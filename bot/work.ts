import { failUpdate, finishUpdate, messageOf, type TakenUpdate, takeUpdates } from '../api/chats/inbox.ts';
import { type Reply, writeReplies } from '../api/chats/replies.ts';
import type { Ctx } from '../api/core/context.ts';
import type { Transport } from '../api/people/chats.ts';
import { translator } from '../locales/index.ts';
import { type FetchPhoto, takePhotos } from './photos.ts';
import { answerMessage } from './turn.ts';

/** Messages that are worked on at once, never two of one chat; a connection to the database each. */
const atOnce = 6;

export type Worker = { wake(): void; idle(): Promise<void>; stop(): Promise<void> };

/** Works on what came in, in order for each chat. Any number of wakings is one look. Photos are fetched as each transport hands them over. */
export function createWorker(ctx: Ctx, fetchPhoto: Partial<Record<Transport, FetchPhoto>> = {}): Worker {
  const underWay = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  async function answer(update: TakenUpdate): Promise<void> {
    try {
      const message = messageOf(ctx, update);
      const fetch = fetchPhoto[update.transport];
      const photos = fetch && message.photos ? await takePhotos(ctx, update.keyHash, message.photos, fetch) : [];
      const keep = async (tx: Ctx, replies: Reply[]) => {
        if (!(await finishUpdate(tx, update))) return false;
        await writeReplies(tx, update, replies);
        return true;
      };
      await answerMessage(ctx, update.keyHash, message, keep, photos);
    } catch (error) {
      ctx.services.log.error('A message in a chat could not be answered', { chat: update.keyHash, attempts: update.attempts + 1, error });
      // Nobody is left without an answer, and what came after it goes on.
      if (await failUpdate(ctx, update)) await writeReplies(ctx, update, [{ text: translator(ctx.language, 'bot')('failed') }]);
    }
  }

  async function look(): Promise<void> {
    while (again && !stopped) {
      again = false;
      const free = atOnce - underWay.size;
      // Each that ends looks again.
      if (free <= 0) return;
      for (const update of await takeUpdates(ctx, free)) {
        const way = answer(update)
          .catch((error) => ctx.services.log.error('What became of a message could not be kept: it is worked on again when its lease has run out', { error }))
          .finally(() => {
            underWay.delete(way);
            wake();
          });
        underWay.add(way);
      }
    }
  }

  function wake(): void {
    again = true;
    if (stopped) return;
    looking ??= look()
      .catch((error) => ctx.services.log.error('What came in from chats could not be read', { error }))
      .finally(() => {
        looking = undefined;
        if (again && underWay.size < atOnce) wake();
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
