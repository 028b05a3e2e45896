import { Api } from 'grammy';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { receive } from '../../api/chats/inbox.ts';
import { s3Storage } from '../../api/ops/storage.ts';
import { createDelivery, deliveryTimes, type Post } from '../../api/outbox/delivery.ts';
import { patience, smtpMailer } from '../../api/outbox/mailer.ts';
import { createWorker } from '../../bot/messages/work.ts';
import { telegramPost } from '../../bot/transports/telegram/deliver.ts';
import { cloudClient, cloudSettings } from '../../bot/transports/whatsapp/cloud/client.ts';
import { cloudPost } from '../../bot/transports/whatsapp/cloud/deliver.ts';
import { schema } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { fakeBotApi, token } from '../support/botApi.ts';
import { openBucket } from '../support/bucket.ts';
import { cloudEnv, fakeCloudApi } from '../support/cloudApi.ts';
import { faults, faultyProxy } from '../support/faultyProxy.ts';
import { googleProvider } from '../support/googleProvider.ts';
import { Jar } from '../support/jar.ts';
import { jpeg } from '../support/photos.ts';
import { smtpServer } from '../support/smtpServer.ts';

/** Mail, storage and sign-in services over connections that refuse, hang, or break off midway. */
const portOf = (address: string) => Number(new URL(address).port);
const [post, service, google] = await Promise.all([smtpServer(), openBucket(), googleProvider()]);
const [telegram, whatsapp] = [fakeBotApi(), fakeCloudApi()];
afterAll(() => Promise.all([post.close(), service.close(), google.stop()]));
const lines = {
  smtp: await faultyProxy(portOf(post.url)),
  s3: await faultyProxy(portOf(service.bucket.endpoint)),
  google: await faultyProxy(portOf(google.env.GOOGLE_ISSUER)),
  telegram: await faultyProxy(portOf(telegram.root)),
  whatsapp: await faultyProxy(portOf(whatsapp.root)),
};
// The issuer must match the address that is asked.
google.issuer.url = `http://localhost:${lines.google.port}`;
const env = {
  ...google.env,
  GOOGLE_ISSUER: google.issuer.url,
  ...cloudEnv(`http://127.0.0.1:${lines.whatsapp.port}`),
};
const market = await testApp({
  env,
  storage: s3Storage({ ...service.bucket, endpoint: `http://127.0.0.1:${lines.s3.port}` }, 300),
});
const { seller } = await actors(market);
beforeEach(async () => {
  await market.reset();
  telegram.clear();
  whatsapp.clear();
});
afterEach(() => Object.values(lines).map((line) => line.is(undefined)));

const serves = async () => expect((await market.request('/api/slots')).status).toBe(200);
const waiting = () =>
  market.db
    .select({ state: schema.outbox.state, attempts: schema.outbox.attempts })
    .from(schema.outbox);

describe.each(faults)('a partner who %s', (fault) => {
  test('the mail server: the mail waits, and goes out once', async () => {
    const mailer = smtpMailer(`smtp://127.0.0.1:${lines.smtp.port}`, 'M <m@market.test>', {
      ...patience,
      greetingTimeout: 300,
      socketTimeout: 300,
    });
    const job = market.job('deliver-outbox');
    const deliver = () => delivered({ ...job, services: { ...job.services, mailer } });
    lines.smtp.is(fault);
    const person = {
      email: `${crypto.randomUUID()}@example.test`,
      password: 'a good password',
      name: 'Fotso',
      selling: false,
      agreed: '0',
    };
    expect((await market.request('/api/auth/sign-up', { json: person })).status).toBe(200);
    await deliver();
    await serves();
    expect(await waiting()).toEqual([{ state: 'waiting', attempts: 1 }]);
    lines.smtp.is(undefined);
    market.clock.advance({ minutes: 1 });
    await deliver();
    expect(post.mails.filter(({ to }) => to === person.email)).toHaveLength(1);
    mailer.close();
  });

  test('the bucket: a photo is refused in a sentence, and taken afterwards', async () => {
    const send = async () =>
      market.call<{ error?: { code: string } }>('/api/uploads', {
        body: (await jpeg()) as Buffer<ArrayBuffer>,
        as: seller,
      });
    lines.s3.is(fault);
    const { status, body } = await send();
    expect([status, body.error?.code]).toEqual([503, 'uploads.storageUnavailable']);
    expect(await market.db.$count(schema.uploads)).toBe(0);
    await serves();
    lines.s3.is(undefined);
    expect((await send()).status).toBe(201);
  });

  test('the sign-in provider: said on the page that one came from, and the next try gets through', async () => {
    // A fresh app: the provider's metadata is cached for an hour.
    const late = await testApp({ database: market.database, env });
    const begin = async () =>
      (await late.request('/api/auth/google?door=member', { as: { jar: new Jar() } })).headers.get(
        'location',
      );
    lines.google.is(fault);
    expect(await begin()).toMatch(/sign-in\?google=away$/);
    await serves();
    lines.google.is(undefined);
    expect(await begin()).toMatch(env.GOOGLE_ISSUER);
  });

  const client = cloudClient(
    cloudSettings(market.env) as NonNullable<ReturnType<typeof cloudSettings>>,
  );
  const chats: [
    name: keyof typeof lines & ('telegram' | 'whatsapp'),
    Post,
    (to: string) => unknown[],
  ][] = [
    [
      'telegram',
      telegramPost(new Api(token, { apiRoot: `http://127.0.0.1:${lines.telegram.port}` })),
      (to) => telegram.sentTo(Number(to)),
    ],
    ['whatsapp', cloudPost(client, undefined), (to) => whatsapp.sentTo(to)],
  ];
  test.each(chats)(
    '%s: what was said is answered, once, when it is back',
    async (transport, way, sentTo) => {
      const address = '237699001001';
      lines[transport].is(fault);
      await receive(market.job('chat'), {
        transport,
        address,
        updateId: crypto.randomUUID(),
        message: { text: 'help' },
      });
      const worker = createWorker(market.job('chat'));
      worker.wake();
      await worker.idle();
      await delivered(market.job('chat'), way);
      await serves();
      expect(await waiting()).toEqual([{ state: 'waiting', attempts: 1 }]);
      lines[transport].is(undefined);
      market.clock.advance({ minutes: 1 });
      await delivered(market.job('chat'), way);
      expect(await waiting()).toEqual([]);
      // A broken answer may have been an acceptance: sent once or twice, never zero times.
      const sent = sentTo(address).length;
      expect(fault === 'answers half' ? [1, 2] : [1]).toContain(sent);
    },
  );
});

/** Delivers what is due, as a woken process does. */
async function delivered(...[ctx, way]: Parameters<typeof createDelivery>): Promise<void> {
  const delivery = createDelivery(ctx, way, { ...deliveryTimes, sendMs: 500 });
  delivery.wake();
  await delivery.idle();
}
