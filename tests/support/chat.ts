import type { Ctx } from '../../api/core/context.ts';
import { chatContext, sealAddress, type Transport } from '../../api/people/chats.ts';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { TestApp } from './app.ts';

type Input = { transport?: Transport; address?: string; number?: string; language?: Language };

/**
 * Creates the context of a verb called from a chat: a linked person's, or a stranger's without
 * `person`.
 */
export async function chatOf(
  market: TestApp,
  person?: { userId: string },
  input: Input = {},
): Promise<Ctx> {
  const {
    transport = 'telegram',
    address = `chat of ${person?.userId ?? 'a stranger'}`,
    number,
    language,
  } = input;
  const userId = person?.userId ?? null;
  const now = market.clock.now();
  const [row] = await market.db
    .insert(schema.chats)
    .values({
      ...sealAddress(market.services.secret, transport, address),
      userId,
      linkedAt: userId === null ? null : now,
      language: language ?? null,
      createdAt: now,
    })
    .onConflictDoUpdate({
      target: schema.chats.keyHash,
      set: { userId, linkedAt: userId === null ? null : now },
    })
    .returning();
  if (!row) throw new Error('The chat could not be kept');
  return chatContext({ ...market.host }, row, number === undefined ? {} : { number });
}
