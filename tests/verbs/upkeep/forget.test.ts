import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { receive } from '../../../api/chats/inbox.ts';
import { rollUpEngagement } from '../../../api/engagement/rollup.ts';
import { chatKey } from '../../../api/people/chats.ts';
import { keptBy, retention } from '../../../api/shared/retention/table.ts';
import { cleanUp } from '../../../api/upkeep/cleanup.ts';
import { forgetOldRows } from '../../../api/upkeep/forget.ts';
import { schema } from '../../../db/client.ts';
import { actors, signInAdmin, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { cleanupCases } from '../../support/cleanup.ts';
import { live } from '../../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { cleanupRuns } = schema;
const dayMs = 86_400_000;
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

describe('a row goes when its line of the retention table says so, and not a day before', () => {
  const s = schema;
  const of = { userId: seller.userId, createdAt: new Date(0) };
  const hash = (n: number) => n.toString(16).padStart(64, '0');
  /** Inserts a row of that age, the n-th. */
  const insert: Record<string, (at: Date, n: number) => PromiseLike<unknown>> = {
    rate_limit: (at, n) =>
      market.db.insert(s.rateLimit).values({ id: `${n}`, key: `${n}`, lastRequest: at.getTime() }),
    sign_up_links: (at, n) =>
      market.db
        .insert(s.signUpLinks)
        .values({ ...of, tokenHash: hash(n), email: 'a@example.cm', expiresAt: at }),
    sign_in_links: (at, n) =>
      market.db.insert(s.signInLinks).values({ ...of, tokenHash: hash(n), expiresAt: at }),
    verification: (at, n) =>
      market.db
        .insert(s.verification)
        .values({ id: `${n}`, identifier: `${n}`, value: 'x', expiresAt: at }),
    session: (at, n) =>
      market.db
        .insert(s.session)
        .values({ ...of, id: `old ${n}`, token: `old ${n}`, expiresAt: at }),
    chat_link_codes: (at, n) =>
      market.db.insert(s.chatLinkCodes).values({ ...of, codeHash: hash(n), expiresAt: at }),
    chat_undelivered: (at, n) =>
      market.db
        .insert(s.chatUndelivered)
        .values({ idHash: hash(n), transport: 'whatsapp', code: 1, reason: '', at }),
    chats: (at, n) =>
      market.db.insert(s.chats).values({
        ...{ transport: 'telegram' as const, keyHash: hash(n), sealedAddress: 'x', createdAt: at },
      }),
    number_takings: (at, n) =>
      market.db.insert(s.numberTakings).values({ numberKey: hash(n), takenAt: at }),
    contact_requests: async (at, n) => {
      // The sessions of the others may have been deleted.
      const { id } = await live(market, await signUpSeller(market), await signInAdmin(market));
      await market.db
        .insert(s.contactRequests)
        .values({ visitor: `${n}`, addressHash: hash(n), productId: id, requestedAt: at });
    },
    outbox: (at) =>
      market.db.insert(s.outbox).values({
        ...{ channel: 'email' as const, recipient: 'a@example.cm', language: 'en' as const },
        ...{ kind: 'x', subject: '', bodyText: '', bodyHtml: '', state: 'failed' as const },
        ...{ nextAttemptAt: at, createdAt: at },
      }),
  };
  const count = async (table: string): Promise<number> =>
    (await market.db.execute<{ count: number }>(sql.raw(`select count(*)::int from ${table}`)))[0]
      ?.count ?? 0;

  test.each(Object.keys(insert))('%s', async (table) => {
    const kept = keptBy('forget-old-rows', table) ?? expect.fail('its line names no period');
    const line = retention.find((one) => one.table === table) as { period?: unknown };
    const before = await count(table);
    const now = market.clock.now().getTime();
    await insert[table]?.(new Date(now - kept + dayMs), 1);
    await insert[table]?.(new Date(now - kept - 1000), 2);
    const { period } = line;
    const added = (await count(table)) - before;
    onTestFinished(() => {
      line.period = period;
    });
    line.period = 'ever';
    await forgetOldRows(asJob());
    expect((await count(table)) - before).toBe(added);
    line.period = period;
    await forgetOldRows(asJob());
    expect((await count(table)) - before).toBe(added - 1);
  });

  test('a job deletes by its own lines alone', () => {
    expect(keptBy('forget-drafts', 'rate_limit')).toBeUndefined();
    expect(keptBy('forget-old-rows', 'barred_emails')).toBeUndefined();
    expect(keptBy('forget-old-rows', 'credit_entries')).toBeUndefined();
  });
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
