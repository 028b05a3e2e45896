import { createServer, type Socket } from 'node:net';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import type { Mail, Mailer } from '../../../api/core/ports.ts';
import {
  announceDue,
  createDelivery,
  deliveryTimes,
  mailPost,
  takeMessages,
} from '../../../api/outbox/delivery.ts';
import { mailsAtOnce, patience, smtpMailer } from '../../../api/outbox/mailer.ts';
import { writeMessages } from '../../../api/outbox/outbox.ts';
import { type Db, schema } from '../../../db/client.ts';
import { testApp } from '../../support/app.ts';
import { deliverOutbox } from '../../support/mail.ts';
import { type ReceivedMail, smtpServer } from '../../support/smtpServer.ts';

const market = await testApp();
beforeEach(() => market.reset());
const { outbox } = schema;
const from = 'Marché 54 <market@market.test>';
const letter = {
  channel: 'email',
  userId: null,
  name: 'Ngono',
  language: 'en',
  kind: 'productRejected',
} as const;
const write = (to: string, product = 'Chair') =>
  writeMessages(market.job('x'), [
    { ...letter, recipient: to, params: { product, reason: 'Dark photos' } },
  ]);
const rows = () => market.db.select().from(outbox).orderBy(outbox.turn);
const leaseSeconds = deliveryTimes.leaseMs / 1000;

/** Undone in reverse: a mail server waits for open connections before it closes. */
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
/** Another process: its own mailer and, if given, its own pool. */
function withMailer(send: Mailer['send'], db: Db = market.db): Ctx {
  const ctx = market.job('deliver-outbox', db);
  return { ...ctx, services: { ...ctx.services, mailer: { send, close() {} } } };
}
function processWith(
  mailer: Pick<Mailer, 'send'>,
  times = { ...deliveryTimes, stopMs: 0 },
  db = market.database.another({ max: 2 }).db,
) {
  const delivery = createDelivery(
    withMailer((mail, signal) => mailer.send(mail, signal), db),
    mailPost,
    times,
  );
  stops.push(() => delivery.stop());
  return delivery;
}
/** A mailer that accepts nothing until opened; `under` holds the mails it was given. */
function gated() {
  const gate = Promise.withResolvers<void>();
  const under: Mail[] = [];
  const accepted: Mail[] = [];
  return {
    under,
    accepted,
    open: gate.resolve,
    refuse: gate.reject,
    async send(mail: Mail, signal?: AbortSignal) {
      under.push(mail);
      const given = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      );
      await Promise.race([gate.promise, given]);
      accepted.push(mail);
    },
  };
}
/** A real mail server that answers when `answer` resolves. */
async function slowServer(answer: (letter: ReceivedMail) => Promise<void> | void) {
  const post = await smtpServer(answer);
  stops.push(() => post.close());
  return post;
}

describe('a mail server that takes its time', () => {
  test('holds no connection to the database: twenty mails are under way, and the market signs people up', async () => {
    const gate = Promise.withResolvers<void>();
    let under = 0;
    const post = await slowServer(() => {
      under++;
      return gate.promise;
    });
    const recipients = Array.from({ length: 20 }, (_, n) => `person${n}@example.test`);
    for (const to of recipients) await write(to);
    // Four processes with small pools: a held connection would block them.
    const processes = Array.from({ length: 20 / mailsAtOnce }, () => {
      const mailer = smtpMailer(post.url, from);
      stops.push(async () => mailer.close());
      return processWith(mailer);
    });
    for (const delivery of processes) delivery.wake();
    await expect.poll(() => under, { timeout: 10_000 }).toBe(20);
    const held =
      await market.sql`select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
    expect(held).toHaveLength(0);
    const person = {
      email: 'new@example.test',
      password: 'a good password',
      name: 'Fotso',
      agreed: '0',
      whatsapp: '+237699001234',
      location: 'Douala, Littoral',
    };
    expect((await market.request('/api/auth/sign-up', { json: person })).status).toBe(200);
    gate.resolve();
    await Promise.all(processes.map((delivery) => delivery.idle()));
    expect(post.mails.map(({ to }) => to).sort()).toEqual([...recipients, person.email].sort());
    expect((await rows()).every(({ state, lease }) => state === 'sent' && lease === null)).toBe(
      true,
    );
  });

  /** A minimal server: it runs `greet` and answers nothing else. */
  async function mute(greet: (socket: Socket) => void): Promise<string> {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.on('error', () => {});
      greet(socket);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    stops.push(async () => {
      for (const socket of open) socket.destroy();
      server.close();
    });
    const address = server.address();
    if (!address || typeof address === 'string') throw new Error('The server has no port');
    return `smtp://127.0.0.1:${address.port}`;
  }
  const silences: [
    string,
    (socket: Socket) => void,
    Partial<typeof patience>,
    Partial<typeof deliveryTimes>,
    RegExp,
  ][] = [
    ['accepts and never greets', () => {}, { greetingTimeout: 60 }, {}, /Greeting never received/],
    [
      'greets and never answers',
      (socket) => socket.write('220 here\r\n'),
      { socketTimeout: 60 },
      {},
      /Timeout/,
    ],
    [
      'gives a sign of life for ever and never answers',
      (socket) => {
        socket.write('220 here\r\n');
        const timer = setInterval(() => socket.write('250-'), 10);
        socket.on('close', () => clearInterval(timer));
      },
      {},
      { sendMs: 100 },
      /abort|time/i,
    ],
  ];
  for (const [name, greet, limits, times, words] of silences) {
    test(`is given up for now when it ${name}, and the mail waits`, async () => {
      await write('ngono@example.test');
      const mailer = smtpMailer(await mute(greet), from, { ...patience, ...limits });
      stops.push(async () => mailer.close());
      const delivery = processWith(mailer, { ...deliveryTimes, ...times });
      delivery.wake();
      await delivery.idle();
      const [row] = await rows();
      expect(row).toMatchObject({ state: 'waiting', attempts: 1, lease: null });
      expect(row?.lastError).toMatch(words);
    });
  }

  test('never keeps the other recipients waiting', async () => {
    for (const to of ['slow@example.test', 'a@example.test', 'b@example.test', 'c@example.test'])
      await write(to);
    const gate = Promise.withResolvers<void>();
    const accepted: string[] = [];
    const delivery = processWith({
      async send({ to }) {
        if (to.startsWith('slow')) await gate.promise;
        accepted.push(to);
      },
    });
    delivery.wake();
    await expect
      .poll(() => accepted)
      .toEqual(['a@example.test', 'b@example.test', 'c@example.test']);
    // A mail written now does not wait for the slow one either.
    await write('d@example.test');
    delivery.wake();
    await expect.poll(() => accepted).toContain('d@example.test');
    gate.resolve();
    await delivery.idle();
    expect(accepted.at(-1)).toBe('slow@example.test');
  });
});

describe('a mail that was taken', () => {
  test('is nobody else’s while the lease lasts, and is taken again afterwards', async () => {
    await write('ngono@example.test');
    expect(await takeMessages(market.job('a process that is killed'), 'email', 5)).toHaveLength(1);
    market.clock.advance({ seconds: leaseSeconds - 1 });
    expect(await deliverOutbox(market.job('another'))).toEqual({ sent: 0, failed: 0 });
    market.clock.advance({ seconds: 1 });
    expect(await deliverOutbox(market.job('another'))).toEqual({ sent: 1, failed: 0 });
    expect(market.mails.delivered).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1, lease: null }]);
  });

  test('and sent by a process that died before it could say so is sent again, under the same id, and not lost', async () => {
    const post = await slowServer(() => {});
    await write('ngono@example.test');
    const mailer = smtpMailer(post.url, from);
    stops.push(async () => mailer.close());
    const dying = market.database.another({ max: 1 });
    const delivery = processWith(
      {
        async send(mail, signal) {
          await mailer.send(mail, signal);
          await dying.close();
        },
      },
      deliveryTimes,
      dying.db,
    );
    delivery.wake();
    await delivery.idle();
    expect(post.mails).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(market.logged.filter(({ level }) => level === 'error').length).toBeGreaterThan(0);
    market.clock.advance({ seconds: leaseSeconds });
    const next = processWith(mailer);
    next.wake();
    await next.idle();
    expect(post.mails.map(({ id }) => id)).toEqual([post.mails[0]?.id, post.mails[0]?.id]);
    expect(post.mails[0]?.id).toBe(`<${(await rows())[0]?.id}@market.test>`);
    expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1 }]);
  });

  test('is marked by whoever has the lease alone', async () => {
    await write('ngono@example.test');
    const late = gated();
    const first = processWith(late);
    first.wake();
    await expect.poll(() => late.under.length).toBe(1);
    market.clock.advance({ seconds: leaseSeconds });
    expect(await deliverOutbox(market.job('another'))).toEqual({ sent: 1, failed: 0 });
    late.refuse(new Error('450 mailbox busy'));
    await first.idle();
    expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1, lastError: null }]);
  });

  test('is let go when the process stops, within its moment, and counts no failure', async () => {
    await write('slow@example.test');
    const slow = gated();
    const delivery = processWith(slow, { ...deliveryTimes, stopMs: 20 });
    delivery.wake();
    await expect.poll(() => slow.under.length).toBe(1);
    await delivery.stop();
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    await write('next@example.test');
    delivery.wake();
    await delivery.idle();
    expect(slow.under).toHaveLength(1);
    market.clock.advance({ seconds: leaseSeconds });
    expect(await deliverOutbox(market.job('another'))).toEqual({ sent: 2, failed: 0 });
  });

  test('and nearly through is waited for when the process stops', async () => {
    await write('slow@example.test');
    const slow = gated();
    const delivery = processWith(slow, { ...deliveryTimes, stopMs: 10_000 });
    delivery.wake();
    await expect.poll(() => slow.under.length).toBe(1);
    const stopped = delivery.stop();
    slow.open();
    await stopped;
    expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1 }]);
  });
});

describe('the mails of one recipient', () => {
  const products = (mails: readonly { text: string }[]) =>
    mails.map(({ text }) => /first|second/.exec(text)?.[0]);

  test('wait for an earlier one that is under way', async () => {
    await write('ngono@example.test', 'first');
    await write('ngono@example.test', 'second');
    const slow = gated();
    const delivery = processWith(slow);
    delivery.wake();
    await expect.poll(() => slow.under.length).toBe(1);
    expect(await deliverOutbox(market.job('another'))).toEqual({ sent: 0, failed: 0 });
    slow.open();
    await delivery.idle();
    expect(products(slow.accepted)).toEqual(['first', 'second']);
  });

  test('wait for an earlier one that backs off, and pass it once it is given up', async () => {
    await write('ngono@example.test', 'first');
    await write('ngono@example.test', 'second');
    market.mails.refuse('450 mailbox busy');
    for (let attempt = 1; attempt <= 8; attempt++) {
      expect(await deliverOutbox(market.job('x'))).toEqual({
        sent: 0,
        failed: attempt === 8 ? 2 : 1,
      });
      expect(await deliverOutbox(market.job('x'))).toEqual({ sent: 0, failed: 0 });
      market.clock.advance({ minutes: 64 });
    }
    expect(await rows()).toMatchObject([
      { state: 'failed', attempts: 8 },
      { state: 'waiting', attempts: 1 },
    ]);
    market.mails.refuse();
    expect(await deliverOutbox(market.job('x'))).toEqual({ sent: 1, failed: 0 });
    expect(products(market.mails.delivered)).toEqual(['second']);
  });

  test('arrive in order and once, whatever fails and however many processes deliver', async () => {
    const recipients = ['a@example.test', 'b@example.test', 'c@example.test'];
    const plan = fc.record({
      to: fc.array(fc.constantFrom(...recipients), { minLength: 1, maxLength: 10 }),
      // One fate per attempt, repeated: mostly accepted, some runs rejected until given up.
      fates: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 3, maxLength: 40 }),
      given: fc.option(fc.constantFrom(...recipients), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ to, fates, given }) => {
        await market.db.delete(outbox);
        market.clock.advance({ days: 1 });
        for (const [n, recipient] of to.entries()) await write(recipient, `number ${n}`);
        const accepted: { to: string; id: string }[] = [];
        const underWay = new Set<string>();
        let tries = 0;
        const send = async ({ to: recipient, id }: Mail) => {
          // Never two at once to one recipient, across all processes.
          expect(underWay.has(recipient)).toBe(false);
          underWay.add(recipient);
          const fate = fates[tries++ % fates.length] as number;
          await new Promise((resolve) => setImmediate(resolve));
          underWay.delete(recipient);
          if (recipient === given || fate < 3) throw new Error('450 mailbox busy');
          accepted.push({ to: recipient, id });
        };
        const processes = [createDelivery(withMailer(send)), createDelivery(withMailer(send))];
        for (let round = 0; round < 200; round++) {
          for (const delivery of processes) delivery.wake();
          await Promise.all(processes.map((delivery) => delivery.idle()));
          const waiting = await market.db
            .select({ at: outbox.nextAttemptAt })
            .from(outbox)
            .where(eq(outbox.state, 'waiting'));
          if (waiting.length === 0) break;
          market.clock.set(
            new Date(
              Math.max(
                market.clock.now().getTime(),
                Math.min(...waiting.map(({ at }) => at.getTime())),
              ),
            ),
          );
        }
        const all = await rows();
        expect(all.some(({ state }) => state === 'waiting')).toBe(false);
        for (const recipient of recipients) {
          const sent = all
            .filter((row) => row.recipient === recipient && row.state === 'sent')
            .map(({ id }) => id);
          expect(accepted.filter((mail) => mail.to === recipient).map(({ id }) => id)).toEqual(
            sent,
          );
        }
      }),
      { numRuns: 12 },
    );
  });
});

describe('the delivery of a process', () => {
  test('is one, however often it is woken, and has a few mails under way at most', async () => {
    for (let n = 0; n < 12; n++) await write(`person${n}@example.test`);
    const slow = gated();
    const delivery = processWith(slow);
    for (let n = 0; n < 50; n++) delivery.wake();
    await expect.poll(() => slow.under.length).toBe(mailsAtOnce);
    for (let n = 0; n < 50; n++) delivery.wake();
    expect((await rows()).filter(({ lease }) => lease)).toHaveLength(mailsAtOnce);
    slow.open();
    await delivery.idle();
    expect(slow.accepted).toHaveLength(12);
    expect(new Set(slow.under.map(({ id }) => id)).size).toBe(12);
  });

  test('is woken by a mail, and by the timetable where a retry is due', async () => {
    const delivery = processWith(market.services.mailer);
    const listener = await market.sql.listen('outbox', delivery.wake, delivery.wake);
    try {
      market.mails.refuse('450 mailbox busy');
      await write('ngono@example.test');
      await expect.poll(async () => (await rows())[0]?.attempts).toBe(1);
      // The attempt counts before its outcome is written.
      await delivery.idle();
      expect(await announceDue(market.job('x'))).toEqual({ due: false });
      market.mails.refuse();
      market.clock.advance({ seconds: 30 });
      expect(await announceDue(market.job('x'))).toEqual({ due: true });
      await expect.poll(() => market.mails.delivered.length).toBe(1);
    } finally {
      await listener.unlisten();
    }
  });

  test('goes on after a moment without the database', async () => {
    const pool = market.database.another({ max: 1 });
    let lost = true;
    const db = new Proxy(pool.db, {
      get: (target, name, self) =>
        name === 'execute' && lost
          ? () => Promise.reject(new Error('no connection'))
          : Reflect.get(target, name, self),
    });
    const delivery = processWith(market.services.mailer, deliveryTimes, db);
    await write('ngono@example.test');
    delivery.wake();
    await delivery.idle();
    expect(market.logged).toMatchObject([{ level: 'error', error: { message: 'no connection' } }]);
    lost = false;
    delivery.wake();
    await delivery.idle();
    expect(market.mails.delivered).toHaveLength(1);
  });
});
