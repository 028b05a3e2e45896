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
import named from './from.json' with { type: 'json' };
import { openBrowser, openReport, runIn, startMarket } from './market.ts';

/**
 * `bun run upgrades [commit…]`: for each commit (by default those of from.json) installs and fills
 * that version, then starts this tree on its data folder. No row, photo, password or setting may be
 * lost, every rule must hold, and the older backup must restore. Exits with 1 otherwise.
 */
const { check, wrong } = openReport();
const root = source('.');
// Not in TMPDIR: Postgres puts a socket in it, and root hands it to another account.
const place = mkdtempSync('/tmp/m54-upgrade-');
chmodSync(place, 0o755);

/** Installs a commit's sources and packages into a folder. */
async function install(commit: string, folder: string): Promise<void> {
  mkdirSync(folder);
  const packed = Bun.spawn(['git', '-C', root, 'archive', commit], { stdout: 'pipe' });
  const unpacked = Bun.spawn(['tar', '-x', '-C', folder], { stdin: packed.stdout });
  if ((await packed.exited) + (await unpacked.exited) > 0)
    throw new Error(`${commit} could not be taken out of the history`);
  const { code, said } = await runIn(folder, own(), ['install', '--frozen-lockfile']);
  if (code !== 0) throw new Error(`The packages of ${commit} could not be installed:\n${said}`);
}

const own = () => ({ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' });

/** Pages and accounts of the older version. */
type Before = {
  pages: string[];
  photo: string;
  photoHash: string;
  people: [role: 'admin' | 'seller', email: string, password: string][];
};
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const setting = '/api/admin/settings/contactPerHour';

async function fill(url: string, said: string): Promise<Before> {
  const visitor = openBrowser(url);
  const home = (await visitor.ask('/')).bytes.toString();
  const links = [...home.matchAll(/href="(\/(?:products?|shop|market)\/[^"#?]+)"/g)].map(
    ([, path = '']) => path,
  );
  const photo = /\/media\/[^"\s,]+/.exec(home)?.[0] ?? '';
  const people = [...said.matchAll(/(admin|seller) (\S+@\S+) \/ ([^\s,]+)/g)].map(
    ([, role, email = '', password = '']) =>
      [role === 'admin' ? 'admin' : 'seller', email, password] as Before['people'][number],
  );
  const [[, email, password] = ['admin', '', '']] = people;
  const admin = openBrowser(url);
  check('the older admin signs in', (await admin.signIn('admin', email, password)) === 200);
  check(
    'the older market keeps a setting',
    (await admin.ask(setting, { value: 7 }, 'PUT')).status < 300,
  );
  const pages = ['/', '/fr', '/connect', '/sign-in', ...new Set(links.slice(0, 5))];
  check('the older market has products', links.length > 5, `${links.length} links`);
  return { pages, photo, photoHash: hashOf((await visitor.ask(photo)).bytes), people };
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
  const visitor = openBrowser(url);
  for (const path of ['/readyz', ...pages]) check(path, (await visitor.ask(path)).status === 200);
  check('the photo is the same', hashOf((await visitor.ask(photo)).bytes) === photoHash, photo);
  for (const [role, email, password] of people) {
    const browser = openBrowser(url);
    check(`the ${role} signs in`, (await browser.signIn(role, email, password)) === 200);
    if (role !== 'admin') continue;
    const settings = (await browser.ask('/api/admin/settings')).bytes.toString();
    check('the setting is kept', /"contactPerHour"[^}]{0,80}\b7\b/.test(settings));
  }
}

async function upgrade(commit: string): Promise<void> {
  console.log(`\n${git(root, 'log', '-1', '--format=%h %ad %s', '--date=short', commit)}`);
  const changed = changedMigrations(root, commit);
  if (changed.length > 0)
    return check('its migrations are still those of then', false, changed.join(', '));
  const at = (name: string) => join(place, `${commit.slice(0, 8)}-${name}`);
  const port = await freePort();
  const env = {
    ...own(),
    DEMO: '1',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: at('data'),
  };
  const old = at('old');
  await install(commit, old);

  const older = await startMarket(old, env);
  let before: Before;
  let saved = false;
  try {
    before = await fill(older.url, older.said);
    const { code, said } = await runIn(old, env, [
      '--no-env-file',
      'run',
      // By its script: the program's path differs between versions.
      'backup',
      at('old.tar'),
    ]);
    saved = code === 0;
    check('the older version writes a backup', saved, said.split('\n').at(-1));
  } finally {
    check('the older version stops', (await older.stop()) === 0);
  }

  await migrate(join(at('data'), 'postgres'));
  const newer = await startMarket(root, env);
  try {
    await judge(newer.url, before);
    for (const command of ['checkMarket', 'verifyCredits', 'verifyQueue']) {
      const { code, said } = await runIn(root, env, [
        '--no-env-file',
        `api/commands/${command}.ts`,
      ]);
      check(command, code === 0, said.split('\n').at(-1));
    }
  } finally {
    check('the new version stops', (await newer.stop()) === 0);
  }
  if (saved) {
    const { code, said } = await runIn(root, { ...env, DATA_DIR: at('restored') }, [
      '--no-env-file',
      'api/commands/restore.ts',
      at('old.tar'),
    ]);
    check(
      'the older backup restores',
      code === 0 && said.includes(' 0 wrong'),
      said.split('\n').at(-1),
    );
  }
  for (const name of ['old', 'data', 'restored', 'old.tar'])
    rmSync(at(name), { recursive: true, force: true });
}

try {
  await buildSite();
  const given = process.argv.slice(2);
  for (const commit of given.length > 0 ? given : named)
    await upgrade(git(root, 'rev-parse', '--verify', `${commit}^{commit}`));
} finally {
  rmSync(place, { recursive: true, force: true });
}
console.log(wrong.length === 0 ? '\nAll right' : `\n${wrong.length} wrong`);
process.exit(wrong.length === 0 ? 0 : 1);
