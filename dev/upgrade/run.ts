import '../../tests/support/apart.ts';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { buildSite } from '../../api/pages/build.ts';
import { migrateDatabase } from '../../db/client.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { freePort, source } from '../../tests/support/processes.ts';
import { changedMigrations, git } from '../release.ts';
import { demoEnv } from '../testbed/demo.ts';
import { ask, must, newcomer, signIn, signInOf } from '../testbed/people.ts';
import { onEnd, program } from '../testbed/program.ts';
import { openChecks } from '../testbed/report.ts';
import { commandIn, openServer } from '../testbed/server.ts';
import named from './from.json' with { type: 'json' };

/**
 * `bun run upgrades [commit…]`: for each commit (by default those of from.json) installs and fills
 * that version, then starts this tree on its data folder. No row, photo, password or setting may be
 * lost, every rule must hold, and the older backup must restore. Exits with 1 otherwise.
 */
const root = source('.');
// Not in TMPDIR: Postgres puts a socket in it, and root hands it to another account.
const place = mkdtempSync('/tmp/m54-upgrade-');
chmodSync(place, 0o755);
onEnd(() => rmSync(place, { recursive: true, force: true }));

const checks = openChecks();
const { check } = checks;

/** Installs a commit's sources and packages into a folder. */
async function install(commit: string, folder: string): Promise<void> {
  mkdirSync(folder);
  const packed = Bun.spawn(['git', '-C', root, 'archive', commit], { stdout: 'pipe' });
  const unpacked = Bun.spawn(['tar', '-x', '-C', folder], { stdin: packed.stdout });
  if ((await packed.exited) + (await unpacked.exited) > 0)
    throw new Error(`${commit} could not be taken out of the history`);
  const run = commandIn(demoEnv(folder), { root: folder });
  const { code, said, failed } = await run('install', '--frozen-lockfile');
  if (code !== 0)
    throw new Error(`The packages of ${commit} could not be installed:\n${said}${failed}`);
}

/** Pages and accounts of the older version, and a photo with its hash. */
type Before = {
  pages: string[];
  photo: string;
  photoHash: string;
  people: ['admin' | 'seller', { email: string; password: string }][];
};
const hashAt = async (address: string) =>
  createHash('sha256')
    .update(new Uint8Array(await (await fetch(address)).arrayBuffer()))
    .digest('hex');
const setting = '/api/admin/settings/contactPerHour';

async function fill(url: string, said: string): Promise<Before> {
  const home = await (await fetch(url)).text();
  const links = [...home.matchAll(/href="(\/(?:products?|shop|market)\/[^"#?]+)"/g)].map(
    ([, path = '']) => path,
  );
  check('the older market has products', links.length > 5, `${links.length} links`);
  const photo = /\/media\/[^"\s,]+/.exec(home)?.[0] ?? '';
  const admin = await signIn(url, 'admin', signInOf(said, 'admin'));
  await must(ask(url, admin, setting, { json: { value: 7 }, method: 'PUT' }));
  return {
    pages: ['/', '/fr', '/connect', '/sign-in', ...new Set(links.slice(0, 5))],
    photo,
    photoHash: await hashAt(`${url}${photo}`),
    people: [
      ['admin', signInOf(said, 'admin')],
      ['seller', signInOf(said, 'seller')],
    ],
  };
}

type Table = { name: string; columns: string[] };
type Content = { rows: number; hash: string };

const tablesOf = (sql: Sql) => sql<Table[]>`
  select table_name as name, json_agg(column_name order by ordinal_position) as columns
  from information_schema.columns where table_schema = 'public' group by table_name order by table_name`;

/** Rows of each table in its former columns; omits tables and columns that are gone. */
async function contentOf(sql: Sql, tables: readonly Table[]): Promise<Map<string, Content>> {
  const found = new Map<string, Content>();
  const now = new Map((await tablesOf(sql)).map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of tables) {
    const kept = columns.filter((column) => now.get(name)?.has(column));
    if (kept.length < columns.length) continue;
    const [row] = await sql<Content[]>`
      select count(*)::int as rows, coalesce(md5(string_agg(t, '' order by t)), '') as hash
      from (select (${sql(kept)})::text as t from ${sql(name)}) as lines`;
    if (row) found.set(name, row);
  }
  return found;
}

/** Migrates the data folder as a start does, and compares every table with its former rows. */
async function migrate(folder: string): Promise<void> {
  const server = await startEmbeddedPostgres({ folder });
  const sql = postgres({ ...server.connect(), max: 1, fetch_types: false, onnotice: () => {} });
  try {
    const tables = await tablesOf(sql);
    const before = await contentOf(sql, tables);
    await migrateDatabase(server.connect());
    const after = await contentOf(sql, tables);
    const gone = tables.map(({ name }) => name).filter((name) => !after.has(name));
    const lost = [...after]
      .filter(([name, { rows }]) => rows !== before.get(name)?.rows)
      .map(([name]) => name);
    const changed = [...after]
      .filter(([name, { hash }]) => hash !== before.get(name)?.hash)
      .map(([name]) => name);
    const rows = [...before.values()].reduce((sum, table) => sum + table.rows, 0);
    check(
      `${rows} rows of ${tables.length} tables are there after the migrations`,
      lost.length === 0,
      lost.join(', ') || 'all',
    );
    // Not a fault as such: a migration may change them on purpose. The changelog should say so.
    for (const [what, names] of Object.entries({
      'tables or columns gone': gone,
      'tables with other values': changed,
    }))
      if (names.length > 0) console.log(`  ${what}: ${names.join(', ')}`);
  } finally {
    await sql.end({ timeout: 5 });
    await server.stop();
  }
}

async function judge(url: string, { pages, photo, photoHash, people }: Before): Promise<void> {
  for (const path of ['/readyz', ...pages])
    check(path, (await ask(url, newcomer(), path)).status === 200);
  check('the photo is the same', (await hashAt(`${url}${photo}`)) === photoHash, photo);
  for (const [role, mine] of people) {
    const person = await signIn(url, role, mine).catch(() => undefined);
    check(`the ${role} signs in`, person !== undefined);
    if (role !== 'admin' || !person) continue;
    const { text } = await ask(url, person, '/api/admin/settings');
    check('the setting is kept', /"contactPerHour"[^}]{0,80}\b7\b/.test(text));
  }
}

async function upgrade(commit: string): Promise<void> {
  console.log(`\n${git(root, 'log', '-1', '--format=%h %ad %s', '--date=short', commit)}`);
  const changed = changedMigrations(root, commit);
  if (changed.length > 0)
    return check('its migrations are still those of then', false, changed.join(', '));
  const at = (name: string) => join(place, `${commit.slice(0, 8)}-${name}`);
  const env = demoEnv(at('data'), await freePort());
  const url = String(env.PUBLIC_URL);
  const command = async (name: string, run: ReturnType<typeof commandIn>, ...args: string[]) => {
    const { code, said } = await run(...args);
    check(name, code === 0, said.split('\n').at(-1));
  };
  const old = at('old');
  await install(commit, old);

  const older = openServer(env, { root: old });
  let before: Before;
  try {
    before = await fill(url, await older.ready());
    // By its script: the program's path differs between versions.
    const run = commandIn(env, { root: old });
    await command('the older version writes a backup', run, 'run', 'backup', at('old.tar'));
  } finally {
    check('the older version stops', (await older.end()) === 0);
  }

  await migrate(join(at('data'), 'postgres'));
  const newer = openServer(env);
  try {
    await newer.ready();
    await judge(url, before);
    for (const name of ['checkMarket', 'verifyCredits', 'verifyQueue'])
      await command(name, commandIn(env), `api/commands/${name}.ts`);
  } finally {
    check('the new version stops', (await newer.end()) === 0);
  }
  const restored = commandIn({ ...env, DATA_DIR: at('restored') });
  await command('the older backup restores', restored, 'api/commands/restore.ts', at('old.tar'));
  for (const name of ['old', 'data', 'restored', 'old.tar'])
    rmSync(at(name), { recursive: true, force: true });
}

await program(async () => {
  await buildSite();
  const given = process.argv.slice(2);
  for (const commit of given.length > 0 ? given : named)
    await upgrade(git(root, 'rev-parse', '--verify', `${commit}^{commit}`));
  console.log(checks.wrong === 0 ? '\nAll right' : `\n${checks.wrong} wrong`);
  return checks.wrong === 0;
});
