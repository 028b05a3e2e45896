import { and, eq, lt } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { openToEveryone } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { chatKey, type Transport } from '../../people/chats.ts';
import { notify } from '../../people/notify.ts';
import { networkNames } from '../../shared/networks.ts';
import { close } from './closing.ts';

const { chats } = schema;

/** A network's report that a person left an address; another person may get it. */
export type LeftNumber = { address: string; at: Date };

/** Closes the chat of a left number and notifies its account through other channels. */
export async function closeNumber(
  ctx: Ctx,
  transport: Transport,
  { address, at }: LeftNumber,
): Promise<void> {
  openToEveryone(ctx);
  const keyHash = chatKey(ctx.services.secret, transport, address);
  await inTransaction(ctx, async (tx) => {
    // One linked since is its present holder's.
    const which = and(eq(chats.keyHash, keyHash), lt(chats.linkedAt, at));
    for (const { userId } of await close(tx, 'numberChanged', which))
      await notify(
        tx,
        { userId },
        'chatNumberChanged',
        { channel: networkNames[transport] },
        'account',
      );
  });
}
