import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { addressOf, type Socket } from '../../db/embedded/socket.ts';
import { testApp } from '../support/app.ts';
import { ownEnvironment } from '../support/ownEnvironment.ts';
import { endsWithTest, killChildren, source } from '../support/processes.ts';

const market = await testApp();
const folder = mkdtempSync(join(tmpdir(), 'marche54-repl-'));
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

test('lines that are piped into the terminal’s chat are answered in their order, it ends with 0 and leaves no chat behind', async () => {
  const env = {
    ...ownEnvironment(),
    DATABASE_URL: address(),
    DATA_DIR: folder,
    DEMO: '0',
    SMTP_URL: 'smtp://localhost:25',
    PUBLIC_URL: 'http://market.test',
  };
  const child = spawn('bun', ['--no-env-file', source('bot/repl.ts')], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  endsWithTest(child);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => (said += more));
  child.stdin.end('/start\nfrançais\n\n/help\n/lang en\nmarket');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  const turns = [
    '> /start',
    '54 numbered stalls',
    '> français',
    'Je vous écris',
    '> /help',
    'chercher téléphone',
    '> /lang en',
    'From now on',
    '> market',
    'No stall is live',
  ];
  const places = turns.map((turn) => said.indexOf(turn));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(await market.db.$count(schema.chats)).toBe(0);
});
