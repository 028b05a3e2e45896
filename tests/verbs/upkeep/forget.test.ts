import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { receive } from '../../../api/chats/inbox.ts';
import { rollUpEngagement } from '../../../api/engagement/rollup.ts';
import { chatKey } from '../../../api/people/chats.ts';
import { cleanUp } from '../../../api/upkeep/cleanup.ts';
import { forgetOldRows } from '../../../api/upkeep/forget.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { cleanupCases } from '../../support/cleanup.ts';
import { live } from '../../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { cleanupRuns } = schema;
const { asJob } = cleanupCases(market, { seller, admin });

test('an event is forgotten a month after it was counted, a mail three months after it was written; what waits stays', async () => {
  const { id, slotId } = await live(market, seller, admin);
  const { engagementEvents, productDaily, outbox } = schema;
  const event = {
    type: 'view',
    slotId,
    productId: id,
    visitor: 'v',
    occurredAt: market.clock.now(),
  } as const;
  await market.db.insert(engagementEvents).values(event);
  await rollUpEngagement(asJob());
  await market.db.insert(engagementEvents).values({ ...event, visitor: 'not yet counted' });
  await market.db.update(outbox).set({ state: 'sent', sentAt: market.clock.now() });
  const mail = await market.db.select().from(outbox).limit(1);
  const { id: _, ...another } = mail[0] ?? expect.fail('an approval writes a mail');
  await market.db.insert(outbox).values({ ...another, state: 'waiting', sentAt: null });
  const mails = await market.db.$count(outbox);

  market.clock.advance({ days: 30 });
  await forgetOldRows(asJob());
  expect(await market.db.$count(engagementEvents)).toBe(2);
  market.clock.advance({ seconds: 1 });
  await forgetOldRows(asJob());
  expect(await market.db.select().from(engagementEvents)).toMatchObject([
    { visitor: 'not yet counted', rolledAt: null },
  ]);
  expect(await market.db.select().from(productDaily)).toMatchObject([{ productId: id, views: 1 }]);
  expect(await market.db.$count(outbox)).toBe(mails);

  market.clock.advance({ days: 60 });
  await forgetOldRows(asJob());
  expect(await market.db.select().from(outbox)).toMatchObject([{ state: 'waiting' }]);
});

test('a message to the bot is forgotten after eight days, a stranger’s chat three months after its last one, a linked chat never', async () => {
  const { chats, chatUpdates } = schema;
  for (const address of ['1', '2'])
    await receive(asJob(), {
      transport: 'telegram',
      address,
      updateId: address,
      message: { text: 'help' },
    });
  await market.db
    .update(chatUpdates)
    .set({ state: 'done', sealed: null })
    .where(eq(chatUpdates.updateId, '1'));
  await market.db
    .update(chats)
    .set({ userId: seller.userId, linkedAt: market.clock.now() })
    .where(eq(chats.keyHash, chatKey(market.services.secret, 'telegram', '2')));
  market.clock.advance({ days: 8 });
  await forgetOldRows(asJob());
  expect(await market.db.$count(chatUpdates)).toBe(2);
  market.clock.advance({ seconds: 1 });
  await forgetOldRows(asJob());
  expect([await market.db.$count(chatUpdates), await market.db.$count(chats)]).toEqual([0, 2]);
  market.clock.advance({ days: 82 });
  await forgetOldRows(asJob());
  expect(await market.db.select().from(chats)).toMatchObject([{ userId: seller.userId }]);
});

// Must be the last test: it deletes the sessions of the others too.
test('a run is forgotten after a year', async () => {
  await cleanUp(asJob());
  market.clock.advance({ days: 365 });
  await forgetOldRows(asJob());
  expect(await market.db.$count(cleanupRuns)).toBe(1);
  market.clock.advance({ seconds: 1 });
  await forgetOldRows(asJob());
  expect(await market.db.$count(cleanupRuns)).toBe(0);
});
