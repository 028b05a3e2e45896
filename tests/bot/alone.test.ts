import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openBot } from '../../bot/open.ts';
import { schema } from '../../db/client.ts';
import { addressOf, type Socket } from '../../db/embedded/socket.ts';
import { testApp } from '../support/app.ts';
import { until } from '../support/botApi.ts';
import { cloudDelivery, cloudEnv, cloudMessage, fakeCloudApi } from '../support/cloudApi.ts';
import { ownEnvironment } from '../support/ownEnvironment.ts';
import { endsWithTest, killChildren, source } from '../support/processes.ts';

const whatsapp = fakeCloudApi();
const market = await testApp({ env: cloudEnv(whatsapp.root) });
const folder = mkdtempSync(join(tmpdir(), 'marche54-bot-'));
afterAll(async () => {
  await killChildren();
  rmSync(folder, { recursive: true, force: true });
});
/** The test database's address, a socket or a port. */
function address(): string {
  const { target } = market.database;
  return typeof target === 'string'
    ? target
    : addressOf(target as Socket, (target as { database: string }).database);
}

/** Runs `bun run bot` with more environment variables and collects its output. */
function bot(more: Record<string, string>) {
  const env = {
    ...ownEnvironment(),
    ROLES: 'bot',
    PORT: '0',
    DATA_DIR: folder,
    DEMO: '0',
    SMTP_URL: 'smtp://localhost:25',
    PUBLIC_URL: 'http://market.test',
    AUTH_SECRET: market.services.secret,
    ...more,
  };
  const child = spawn('bun', ['--no-env-file', source('api/server.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endsWithTest(child);
  const heard = { said: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (heard.said += part));
  return { child, heard };
}

test('the bot alone answers what the market’s webhook stored, with another beside it, each message once, and stops when it is told', async () => {
  market.clock.set(new Date());
  const people = Array.from({ length: 30 }, (_, n) => String(237_699_002_000 + n));
  const { body, headers } = cloudDelivery(people.map((person) => cloudMessage(person, '/start')));
  const early = await market.request('/bot/whatsapp', { method: 'POST', body, headers });
  expect(early.status).toBe(200);
  const { child, heard } = bot({ DATABASE_URL: address(), ...cloudEnv(whatsapp.root) });
  const beside = openBot({ ...market.host, now: () => new Date() });
  try {
    await until(() => heard.said.includes('ready http'));
    await beside.start();
    const late = people.map((person) => cloudMessage(person, 'français'));
    await market.request('/bot/whatsapp', { method: 'POST', ...cloudDelivery(late) });
    // The welcome, and the other language.
    await until(() => people.every((person) => whatsapp.sentTo(person).length >= 2));
    await until(async () => (await market.db.$count(schema.outbox)) === 0);
    expect(people.map((person) => whatsapp.sentTo(person).length)).toEqual(people.map(() => 2));
  } finally {
    await beside.stop();
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await market.db.select().from(schema.chatChannels)).toMatchObject([
    { transport: 'whatsapp', client: 'cloud', state: 'off', sentAt: expect.any(Date) },
  ]);
});

test('without a network, or without a database that others reach, it says so and ends', async () => {
  for (const [more, sentence] of [
    [{ DATABASE_URL: address() }, 'No chat network is configured'],
    [
      { DATABASE_URL: '', ...cloudEnv(whatsapp.root) },
      'On the embedded database, bun start runs all of it',
    ],
  ] as const) {
    const { child, heard } = bot(more);
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(heard.said).toContain(sentence);
  }
});
