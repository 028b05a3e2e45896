import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { ownEnvironment } from '../support/ownEnvironment.ts';
import { source } from '../support/processes.ts';

/** Destructive programs refuse to start where a market is configured. */
const folder = mkdtempSync(join(tmpdir(), 'marche54-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bun = process.versions.bun ? process.execPath : 'bun';

async function run(file: string) {
  const child = spawn(bun, [file], {
    cwd: folder,
    env: { ...ownEnvironment(), NODE_ENV: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, said, failed };
}
const production = {
  DATABASE_URL: 'postgres://market:secret@db.example/market',
  BACKUP_DIR: '/var/backups/marche54',
  AUTH_SECRET: 'x'.repeat(32),
};
const dotEnv = (settings: Record<string, string>) =>
  writeFileSync(
    join(folder, '.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );

test('they end before they do anything, and name the settings without their values', async () => {
  dotEnv(production);
  const programs = ['faults/run', 'attack/run', 'fuzz/run', 'bench/run', 'day/run'];
  const ended = await Promise.all(programs.map((program) => run(source(`dev/${program}.ts`))));
  for (const [n, { code, said, failed }] of ended.entries()) {
    expect([code, said], programs[n]).toEqual([2, '']);
    expect(failed, programs[n]).toMatch(
      /does not run where a market is configured \(DATABASE_URL, AUTH_SECRET, BACKUP_DIR,/,
    );
    expect(failed, programs[n]).not.toContain('secret@');
  }
});

test('elsewhere the processes that they start inherit none of the settings of the folder', async () => {
  dotEnv({
    PORT: '80',
    S3_REGION: 'production',
    PGUSER: 'postgres',
    MAIL_FROM: 'market@market.example',
  });
  const shown = join(folder, 'shown.ts');
  writeFileSync(shown, `console.log(JSON.stringify(process.env));`);
  const program = join(folder, 'program.ts');
  writeFileSync(
    program,
    `import ${JSON.stringify(source('tests/support/apart.ts'))};
     import { commandIn, testbedEnv } from ${JSON.stringify(source('dev/testbed/server.ts'))};
     const env = testbedEnv('postgres://of-the-run', 5999, '/tmp/of-the-run');
     console.log((await commandIn(env)(${JSON.stringify(relative(source('.'), shown))})).said);`,
  );
  const { said } = await run(program);
  expect(JSON.parse(said)).toMatchObject({ DATABASE_URL: 'postgres://of-the-run', PORT: '5999' });
  for (const name of ['S3_REGION', 'PGUSER', 'MAIL_FROM'])
    expect(JSON.parse(said)).not.toHaveProperty(name);
});
