import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { keepUpdates, receive, takeUpdates } from '../../api/chats/inbox.ts';
import { writeReplies } from '../../api/chats/replies.ts';
import { takeMessages } from '../../api/outbox/delivery.ts';
import { chatKey } from '../../api/people/chats.ts';
import { createWorker } from '../../bot/messages/work.ts';
import { schema } from '../../db/client.ts';
import { testApp } from '../support/app.ts';
import { asTx } from '../support/asTx.ts';
import { until } from '../support/botApi.ts';

const market = await testApp();
const { chatUpdates, outbox } = schema;
const ctx = market.job('bot');
beforeEach(() => market.reset());
const write = (text: string) =>
  receive(ctx, {
    transport: 'telegram',
    address: 'ada',
    updateId: crypto.randomUUID(),
    message: { text },
  });

test('ten seconds after a process died, another answers what waits, in order', async () => {
  for (const text of ['/start', 'one', 'two', 'three', 'four']) await write(text);
  // It takes the first, and dies.
  expect(await takeUpdates(ctx, 6)).toHaveLength(1);
  const after = createWorker(ctx);
  after.wake();
  await after.idle();
  expect(await market.db.$count(chatUpdates, eq(chatUpdates.state, 'waiting'))).toBe(5);
  market.clock.advance({ seconds: 10 });
  after.wake();
  await until(
    async () => (await market.db.$count(chatUpdates, eq(chatUpdates.state, 'done'))) === 5,
  );
  await after.stop();
});

test('a process that lives keeps what it works on, however long that takes', async () => {
  await write('/start');
  const mine = await takeUpdates(ctx, 1);
  for (let n = 0; n < 5; n++) {
    market.clock.advance({ seconds: 4 });
    await keepUpdates(ctx, mine);
    expect(await takeUpdates(ctx, 1)).toEqual([]);
  }
  market.clock.advance({ seconds: 10 });
  expect(await takeUpdates(ctx, 1)).toHaveLength(1);
  // What another process has taken over is not kept.
  await keepUpdates(ctx, mine);
  market.clock.advance({ seconds: 10 });
  expect(await takeUpdates(ctx, 1)).toHaveLength(1);
});

test('a reply that a dead process was sending is sent ten seconds later', async () => {
  await write('/start');
  const keyHash = chatKey(market.services.secret, 'telegram', 'ada');
  await writeReplies(asTx(ctx), { transport: 'telegram', keyHash }, [{ text: 'x' }]);
  expect(await takeMessages(ctx, 'telegram', 5)).toHaveLength(1);
  expect(await takeMessages(ctx, 'telegram', 5)).toEqual([]);
  market.clock.advance({ seconds: 10 });
  expect(await takeMessages(ctx, 'telegram', 5)).toHaveLength(1);
  // Mail may be under way in a slow server for longer.
  await market.db
    .update(outbox)
    .set({ channel: 'email', sealed: null, lease: null, nextAttemptAt: ctx.now() });
  await takeMessages(ctx, 'email', 5);
  market.clock.advance({ seconds: 100 });
  expect(await takeMessages(ctx, 'email', 5)).toEqual([]);
});
