import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';

const { chats } = schema;
/** The newest keys of a chat; older buttons say that they are too old. */
const mostKeys = 60;

/** Stores texts that are too long for a button with their chat; returns each with its key. */
export async function keysFor(
  ctx: Ctx,
  keyHash: string,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map(
    texts.map((text) => [text, `~${createHash('sha256').update(text).digest('hex').slice(0, 16)}`]),
  );
  if (keys.size === 0) return keys;
  await inTransaction(ctx, async ({ db }) => {
    const [chat] = await db
      .select({ state: chats.state })
      .from(chats)
      .where(eq(chats.keyHash, keyHash))
      .for('update');
    const state = (chat?.state ?? {}) as { keys?: Record<string, string> };
    const added = [...keys].map(([text, key]) => [key, text] as const);
    const kept = Object.entries(state.keys ?? {}).filter(
      ([key]) => !added.some(([one]) => one === key),
    );
    const all = Object.fromEntries([...kept, ...added].slice(-mostKeys));
    await db
      .update(chats)
      .set({ state: { ...state, keys: all } })
      .where(eq(chats.keyHash, keyHash));
  });
  return keys;
}
