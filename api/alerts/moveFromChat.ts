import { eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';

/** Moves a chat's alerts to the account that it acts for now; what the account has stays as it is. */
export async function moveFromChat({ db }: Tx, chatId: string, userId: string): Promise<void> {
  await db.execute(sql`
    update alerts a set user_id = ${userId}, chat_id = null
    where chat_id = ${chatId} and not exists (select from alerts own where own.user_id = ${userId}
      and own.query = a.query and own.seller_id is not distinct from a.seller_id)`);
  await db.delete(schema.alerts).where(eq(schema.alerts.chatId, chatId));
}
