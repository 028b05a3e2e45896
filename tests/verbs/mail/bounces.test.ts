import { eq } from 'drizzle-orm';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Mailer } from '../../../api/core/ports.ts';
import { refusedMails } from '../../../api/mail/bounces.ts';
import { readMetrics } from '../../../api/metrics/reads.ts';
import { Later } from '../../../api/outbox/delivery.ts';
import { smtpMailer } from '../../../api/outbox/mailer.ts';
import { faultOf } from '../../../api/outbox/mailFault.ts';
import { writeMessages } from '../../../api/outbox/outbox.ts';
import { schema } from '../../../db/client.ts';
import { signInAdmin, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { deliverOutbox } from '../../support/mail.ts';

type Refusing = { at?: 'MAIL' | 'RCPT' | 'DATA'; code: number; text: string };

/** A real mail server that rejects at one command. */
async function mailServer() {
  let refusing: Refusing | undefined;
  const at = (command: Refusing['at']) =>
    refusing && (refusing.at ?? 'RCPT') === command
      ? Object.assign(new Error(refusing.text), { responseCode: refusing.code })
      : null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom: (_address, _session, done) => done(at('MAIL')),
    onRcptTo: (_address, _session, done) => done(at('RCPT')),
    onData(stream, _session, done) {
      stream.resume();
      stream.on('end', () => done(at('DATA')));
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  if (!address || typeof address === 'string') throw new Error('The mail server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    refuse(how?: Refusing) {
      refusing = how;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const server = await mailServer();
const smtp = smtpMailer(server.url, 'Marché 54 <market@market.test>');
let broken: Error | undefined;
const mailer: Mailer = {
  async send(mail, signal) {
    if (broken) throw broken;
    await smtp.send(mail, signal);
  },
  close: () => smtp.close(),
};
const market = await testApp({ mailer, env: { METRICS_TOKEN: 'a-token-of-twenty-four-letters' } });
afterAll(async () => {
  mailer.close();
  await server.close();
});
beforeEach(async () => {
  await market.reset();
  server.refuse();
  broken = undefined;
});

const { outbox } = schema;
const letter = {
  channel: 'email',
  userId: null,
  name: 'Ngono',
  language: 'en',
  kind: 'productRejected',
} as const;
const write = (to: string) =>
  writeMessages(market.job('x'), [
    { ...letter, recipient: to, params: { product: 'Chair', reason: 'Dark' } },
  ]);
const deliver = () => deliverOutbox(market.job('deliver-outbox'));
const row = async (to: string) =>
  (await market.db.select().from(outbox).where(eq(outbox.recipient, to)))[0];
const gone = { code: 550, text: '5.1.1 No such user' };

describe('a mail that the mail server refuses', () => {
  test('for its recipient with a 5xx is given up at once, and the next one to the same address is tried', async () => {
    server.refuse(gone);
    await write('gone@example.test');
    await write('gone@example.test');
    expect(await deliver()).toEqual({ sent: 0, failed: 2 });
    expect(await market.db.select().from(outbox)).toMatchObject([
      {
        state: 'failed',
        attempts: 1,
        fault: 'recipient',
        lastError: expect.stringContaining('550 5.1.1 No such user'),
      },
      { state: 'failed', attempts: 1, fault: 'recipient' },
    ]);
  });

  test.each([
    ['for now (4xx)', { code: 450, text: '4.2.1 Try later' }, 'later'],
    [
      'because the server does not relay for this sender',
      { code: 554, text: '5.7.1 Relay access denied' },
      'sender',
    ],
    ['for its sender', { at: 'MAIL', code: 550, text: '5.1.8 Sender rejected' }, 'sender'],
    ['for its content', { at: 'DATA', code: 554, text: '5.7.1 Looks like spam' }, 'content'],
  ] as const)('%s is tried again: that can be mended', async (_name, how, fault) => {
    server.refuse(how);
    await write('here@example.test');
    await deliver();
    expect(await row('here@example.test')).toMatchObject({ state: 'waiting', attempts: 1, fault });
    server.refuse();
    market.clock.advance({ minutes: 1 });
    await deliver();
    expect(await row('here@example.test')).toMatchObject({
      state: 'sent',
      fault: null,
      lastError: null,
    });
  });

  test('at the end of its data, but for an unknown recipient, is given up too', async () => {
    server.refuse({ at: 'DATA', code: 550, text: '5.1.1 No such user' });
    await write('late@example.test');
    await deliver();
    expect(await row('late@example.test')).toMatchObject({ state: 'failed', fault: 'recipient' });
  });

  test.each([
    [Object.assign(new Error('Invalid login: 535'), { code: 'EAUTH', responseCode: 535 }), 'login'],
    [
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', command: 'CONN' }),
      'unreachable',
    ],
    [new DOMException('', 'TimeoutError'), 'unreachable'],
    [
      Object.assign(new Error('Invalid recipient'), { code: 'EENVELOPE', command: 'API' }),
      'recipient',
    ],
    [new Later(60), 'other'],
    ['nonsense', 'other'],
  ] as const)('knows %s', (error, fault) => expect(faultOf(error)).toBe(fault));
});

describe('mails that were refused for good', () => {
  test('are counted over 7 and 30 days, named to admins alone, and told to Prometheus', async () => {
    const days = (count: number) => market.clock.advance({ days: count });
    const person = await signUpSeller(market);
    server.refuse(gone);
    await write('old@example.test');
    await deliver();
    days(10);
    await writeMessages(market.job('x'), [
      {
        ...letter,
        recipient: person.email,
        userId: person.userId,
        params: { product: 'Chair', reason: 'Dark' },
      },
    ]);
    await deliver();
    // An unreachable server also exhausts the eight attempts, but is no bounce.
    broken = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', command: 'CONN' });
    await write('away@example.test');
    for (let n = 0; n < 8; n++) {
      await deliver();
      market.clock.advance({ hours: 2 });
    }
    const admin = await signInAdmin(market);
    const read = await refusedMails(await market.ctx(admin));
    expect(read.week).toEqual({ refused: 1, givenUp: 1 });
    expect(read.month).toEqual({ refused: 2, givenUp: 1 });
    expect(
      read.letters.map(({ recipient, name, reason }) => ({ recipient, name, reason })),
    ).toEqual([
      {
        recipient: person.email,
        name: person.name,
        reason: expect.stringContaining('550 5.1.1 No such user'),
      },
      { recipient: 'old@example.test', name: null, reason: expect.stringContaining('550') },
    ]);
    await expect(refusedMails(await market.ctx(person))).rejects.toMatchObject({
      code: 'forbidden',
    });
    const figures = await readMetrics(market.job('metrics'));
    expect(figures).toContain('marche54_letters_refused{days="7"} 1');
    expect(figures).toContain('marche54_letters_refused{days="30"} 2');
    days(31);
    expect(await refusedMails(await market.ctx(await signInAdmin(market)))).toMatchObject({
      month: { refused: 0, givenUp: 0 },
      letters: [],
    });
  });
});
