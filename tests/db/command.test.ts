import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addressOf, type Socket } from '../../db/embedded/socket.ts';
import { freshDatabase } from '../support/database.ts';
import { source } from '../support/processes.ts';

/** A shell command started beside a running market. */
const { target } = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'marche54-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const DATABASE_URL =
  typeof target === 'string'
    ? target
    : addressOf(target as Socket, (target as { database: string }).database);

function command(work: string) {
  const program = join(folder, 'program.ts');
  writeFileSync(
    program,
    `import { runCommand } from ${JSON.stringify(source('api/commands/command.ts'))};
     import { Refusal } from ${JSON.stringify(source('api/shared/errors.ts'))};
     import { clientOf } from ${JSON.stringify(source('db/client.ts'))};
     await runCommand(() => async (ctx) => { ${work}; return 0; }, { asItIs: true });`,
  );
  const env = { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL, DEMO: '1' };
  return spawnSync(process.execPath, ['--no-env-file', program], { env, encoding: 'utf8' });
}

test('its statements and transactions have the limits of jobs', () => {
  const { stdout } =
    command(`const [row] = await clientOf(ctx.db)\`select current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle\`; console.log(JSON.stringify(row))`);
  expect(JSON.parse(stdout)).toEqual({ statement: '5min', idle: '1min' });
});

test('a refusal is told by its sentence and its cause, not by its code', () => {
  const { status, stderr } = command(
    `throw Object.assign(new Refusal('uploads.storageFull'), { cause: new Error('ENOSPC: no space left on device') })`,
  );
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^There is no room for new photos.*\(ENOSPC: no space left on device\)\n$/,
    ),
  ]);
});
