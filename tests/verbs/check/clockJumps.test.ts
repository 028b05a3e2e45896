import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { announceChats, receive } from '../../../api/chats/inbox.ts';
import { connectRules, creditRules } from '../../../api/check/ledger.ts';
import { feeRules, placeRules, queueLogRules, queueRules } from '../../../api/check/market.ts';
import { countAttempt } from '../../../api/core/limits.ts';
import { announceDue } from '../../../api/outbox/delivery.ts';
import { askAboutPayments } from '../../../api/payments/askAboutPayments.ts';
import { buyCredits } from '../../../api/payments/buy.ts';
import { createWorker } from '../../../bot/messages/work.ts';
import { schema } from '../../../db/client.ts';
import { runJob } from '../../../jobs/run.ts';
import { schedule } from '../../../jobs/schedule.ts';
import { actors, signUpByMail } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { grant } from '../../support/credits.ts';
import { approved, live, runQueue, slotOf } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { expectSound } from '../../support/sound.ts';

/** The machine's clock jumps ahead and back: set by hand, empty battery, wrong time server. */
const market = await testApp();
const { member, seller, admin } = await actors(market);
beforeEach(() => market.reset());
const structure = [
  ...placeRules,
  ...queueRules,
  ...queueLogRules,
  ...feeRules,
  ...creditRules,
  ...connectRules,
];

/** Every job of the timetable, once. */
async function everyJob(): Promise<void> {
  for (const job of schedule)
    expect(await runJob(market.host, job), job.name).toMatchObject({ outcome: 'done' });
  await expectSound(market, structure);
}
async function signInAgain(): Promise<void> {
  for (const person of [member, seller, admin]) {
    const door = person === admin ? '/api/auth/admin/sign-in' : '/api/auth/sign-in';
    expect(
      (
        await market.request(door, {
          json: { email: person.email, password: person.password },
          as: person,
        })
      ).status,
    ).toBe(200);
  }
}
const jumps = [
  ['an hour', { hours: 1 }, { hours: -1 }],
  ['a year', { days: 365 }, { days: -365 }],
] as const;

describe.each(jumps)('a clock that is put forward by %s and back again', (_, forth, back) => {
  test('breaks no rule, stops no job, and the market goes on', async () => {
    await grant(market, member, 5);
    const early = await live(market, seller, admin);
    for (const jump of [forth, back]) {
      market.clock.advance(jump);
      await everyJob();
    }
    // A jump of a year ends every session.
    await signInAgain();
    const { id } = await approved(market, seller, admin);
    await runQueue(market);
    expect(await slotOf(market, id)).toMatchObject({ active: true });
    await expectSound(market, structure);
    expect((await market.request('/api/slots')).status).toBe(200);
    if ('hours' in forth)
      expect(await slotOf(market, early.id)).toMatchObject({ id: early.slotId });
  });
});

describe('after a clock was a year ahead', () => {
  const ahead = async (work: () => Promise<unknown>) => {
    market.clock.advance({ days: 365 });
    await work();
    market.clock.advance({ days: -365 });
  };

  test('a mail that failed then goes out now', async () => {
    await ahead(async () => {
      market.mails.refuse('451 later');
      await signUpByMail(market, { email: 'early@example.test' }).catch(() => {});
      market.mails.refuse();
    });
    await announceDue(market.job('deliver-outbox'));
    expect(await market.mails.allTo('early@example.test')).toHaveLength(1);
  });

  test('a message that somebody had taken then is answered now', async () => {
    const { chatUpdates } = schema;
    await ahead(async () => {
      await receive(market.job('chat'), {
        transport: 'telegram',
        address: '7',
        updateId: '1:1',
        message: { text: 'help' },
      });
      await market.db.update(chatUpdates).set({
        lease: crypto.randomUUID(),
        nextAttemptAt: new Date(market.clock.now().getTime() + 60_000),
      });
    });
    await announceChats(market.job('answer-chats'));
    const worker = createWorker(market.job('chat'));
    worker.wake();
    await worker.idle();
    expect(await market.db.select({ state: chatUpdates.state }).from(chatUpdates)).toEqual([
      { state: 'done' },
    ]);
  });

  test('a purchase that was begun then is asked about now', async () => {
    const { purchases } = schema;
    const ctx = await market.ctx(member);
    await ahead(() => buyCredits(ctx, 'stripe', crypto.randomUUID()));
    const pending = async () =>
      (await market.db.select().from(purchases).where(eq(purchases.status, 'pending')))[0];
    expect((await pending())?.askAt?.getTime()).toBeGreaterThan(market.clock.now().getTime());
    expect(await askAboutPayments(market.job('ask-about-payments'))).toEqual({ asked: 1 });
  });

  test('a limit that was reached then holds nobody up now', async () => {
    const attempt = () => countAttempt(market.job('test'), 'of somebody', 2, 900);
    await ahead(async () => {
      await attempt();
      await attempt();
      await refused(attempt(), 'auth.tooManyAttempts');
    });
    await attempt();
    await attempt();
    await refused(attempt(), 'auth.tooManyAttempts');
  });
});
