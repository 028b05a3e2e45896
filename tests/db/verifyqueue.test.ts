import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addressOf, type Socket } from '../../db/embedded/socket.ts';
import { testApp } from '../support/app.ts';
import { behindTheTriggers } from '../support/credits.ts';
import { rawRows } from '../support/rows.ts';

/** `bun run verify-queue` in a shell. */
const market = await testApp();
const folder = mkdtempSync(join(tmpdir(), 'marche54-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

function verify(): Promise<{ code: number | null; said: string }> {
  const { target } = market.database;
  const address =
    typeof target === 'string'
      ? target
      : addressOf(target as Socket, (target as { database: string }).database);
  const env = { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: address, DEMO: '1' };
  const child = spawn(
    process.execPath,
    [new URL('../../api/commands/verifyQueue.ts', import.meta.url).pathname],
    { env },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })));
}

test('says that the order is what the log says, and ends with 1 when an entry was not signed or a place is another', async () => {
  expect(await verify()).toEqual({
    code: 0,
    said: '0 entries, 0 waiting: the order is what the log says.\n',
  });
  // An entry without a verb has an unsigned hash.
  const id = await rawRows(market.sql).queued();
  await behindTheTriggers(market, 'update queue_items set position = 7');
  expect(await verify()).toEqual({
    code: 1,
    said: `queue:regular: entry 1 was changed after it was signed (product ${id})
queue:regular: product ${id} does not wait where the log says
1 entries, 1 waiting: 2 faults.
`,
  });
});
