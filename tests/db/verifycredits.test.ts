import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { statementCsv } from '../../api/credits/present.ts';
import { wholeStatement } from '../../api/credits/reads.ts';
import { addressOf, type Socket } from '../../db/embedded/socket.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { behindTheTriggers, grant, pay } from '../support/credits.ts';

/** `bun run verify-credits` in a shell. */
const market = await testApp();
const { member } = await actors(market);
const folder = mkdtempSync(join(tmpdir(), 'marche54-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Address of the test's database, on a socket or a port. */
function address(): string {
  const { target } = market.database;
  if (typeof target === 'string') return target;
  return addressOf(target as Socket, (target as { database: string }).database);
}

function verify(...args: string[]): Promise<{ code: number | null; said: string }> {
  const env = { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: address(), DEMO: '1' };
  const child = spawn(
    process.execPath,
    [new URL('../../api/commands/verifyCredits.ts', import.meta.url).pathname, ...args],
    { env },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })));
}

test('says that every chain is whole, and ends with 1 when an entry was changed behind the triggers’ back', async () => {
  await grant(market, member, 5);
  await pay(await market.ctx(member));
  const statement = join(folder, 'statement.csv');
  writeFileSync(statement, statementCsv(await wholeStatement(await market.ctx(member)), 'fr'));
  expect(await verify()).toEqual({
    code: 0,
    said: '2 entries of 1 members: every chain is whole.\n',
  });
  expect(await verify(statement)).toEqual({
    code: 0,
    said: '2 entries in the statement: all are in the ledger.\n',
  });

  await behindTheTriggers(market, 'update credit_entries set amount = -1 where serial = 2');
  const found = await verify();
  expect([found.code, found.said]).toEqual([
    1,
    expect.stringMatching(
      /^Member \d+: entry 2 was changed after it was signed\n.*: 1 faults\.\n$/,
    ),
  ]);
  writeFileSync(statement, 'a,b\n1,2\n');
  expect(await verify(statement)).toEqual({
    code: 1,
    said: 'Line 2 was not issued like this by this market\n1 entries in the statement: 1 faults.\n',
  });
  expect(await verify(join(folder, 'none.csv'))).toMatchObject({ code: 1 });
});
