import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { replyKind } from '../outbox/outbox.ts';
import { writeReplies } from './replies.ts';

const { chats } = schema;
type Lost = { recipient: string; kind: string; createdAt: Date };
/** Parts of a chat's state that mean something only if their answer was shown. */
type Asking = {
  awaits?: unknown;
  decides?: unknown;
  labels?: unknown;
  card?: unknown;
  own?: unknown;
  askedAt?: string;
};

/**
 * After an answer that could not be delivered: what it asked or showed is forgotten, so that the
 * next message neither answers nor decides it, and the person is asked to write again.
 */
export async function forgetUnshown(ctx: Ctx, { recipient, kind, createdAt }: Lost): Promise<void> {
  if (kind !== replyKind) return;
  await inTransaction(ctx, async (tx) => {
    const [chat] = await tx.db
      .select()
      .from(chats)
      .where(eq(chats.keyHash, recipient))
      .for('update');
    const { awaits, decides, labels, card, own, askedAt, ...state } = (chat?.state ?? {}) as Asking;
    // A question of a later answer stands. Without a question nothing is written, which also ends
    // this where nothing at all can be delivered.
    if (!chat || askedAt === undefined || new Date(askedAt) > createdAt) return;
    await tx.db.update(chats).set({ state }).where(eq(chats.keyHash, recipient));
    const language = chat.language ?? ctx.language;
    await writeReplies(tx, chat, [{ text: translator(language, 'bot')('unshown') }]);
  });
}
