import {
  failUpdate,
  finishUpdate,
  keepUpdates,
  messageOf,
  postponeUpdate,
  type TakenUpdate,
  takeUpdates,
} from '../../api/chats/inbox.ts';
import { writeReplies } from '../../api/chats/replies.ts';
import type { Reply } from '../../api/core/chatMessages.ts';
import type { Ctx, Tx } from '../../api/core/context.ts';
import { inTransaction } from '../../api/core/transaction.ts';
import { chatLeases } from '../../api/outbox/leases.ts';
import { createLeaseWorker, type LeaseWorker, type Turn } from '../../api/outbox/leaseWorker.ts';
import type { Transport } from '../../api/people/chats.ts';
import { translator } from '../../locales/index.ts';
import { answerMessage } from '../turn.ts';
import { type FetchPhoto, takePhotos } from './photos.ts';

/** Messages handled at once, never two of one chat; each takes a database connection. */
const atOnce = 6;
/** Photo downloads have their own limit, so that a slow transport never delays texts. */
const fetchingAtOnce = 4;

export type Worker = Pick<LeaseWorker, 'wake' | 'idle' | 'stop'>;

/** Handles incoming messages, in order per chat; a stop waits for those in progress. */
export function createWorker(
  ctx: Ctx,
  fetchPhoto: Partial<Record<Transport, FetchPhoto>> = {},
  momentMs = 2000,
): Worker {
  async function answer(update: TakenUpdate, { aside }: Turn): Promise<boolean> {
    try {
      const message = messageOf(ctx, update);
      const fetch = fetchPhoto[update.transport];
      const refs = fetch ? (message.photos ?? []) : [];
      const photos =
        fetch && refs.length > 0
          ? aside(() => takePhotos(ctx, update.keyHash, refs, fetch))
          : Promise.resolve([]);
      if (!photos) {
        await postponeUpdate(ctx, update, momentMs);
        worker.wakeLater(momentMs);
        return false;
      }
      let ended: Awaited<ReturnType<typeof finishUpdate>>;
      const keep = async (tx: Tx, replies: Reply[]) => {
        ended = await finishUpdate(tx, update, replies);
        return ended !== undefined;
      };
      await answerMessage(ctx, update.keyHash, message, keep, await photos);
      return ended?.more ?? true;
    } catch (error) {
      ctx.services.log.error('A message in a chat could not be answered', {
        chat: update.keyHash,
        attempts: update.attempts + 1,
        error,
      });
      // Later messages of the chat go on.
      if (await failUpdate(ctx, update))
        await inTransaction(ctx, (tx) =>
          writeReplies(tx, update, [{ text: translator(ctx.language, 'bot')('failed') }]),
        );
      return true;
    }
  }

  const worker = createLeaseWorker<TakenUpdate>({
    take: (limit) => takeUpdates(ctx, limit),
    renew: { everyMs: chatLeases.renewMs, keep: (held) => keepUpdates(ctx, held) },
    work: answer,
    atOnce,
    asideAtOnce: fetchingAtOnce,
    failed: (part, error) =>
      ctx.services.log.error(
        part === 'take'
          ? 'Messages from chats could not be read'
          : 'The outcome of a chat message was not recorded: it is answered again after its lease',
        { error },
      ),
  });
  return { wake: worker.wake, idle: worker.idle, stop: worker.stop };
}
