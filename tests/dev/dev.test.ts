import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPostgresOf } from '../../db/embedded/process.ts';
import { onFreePort } from '../support/processes.ts';

const root = new URL('../..', import.meta.url).pathname;
const patience = 150_000;

/** A copy of the repository, so that the working tree stays unchanged; its packages are links. */
let copy: string;
let data: string;
let url: string;
let dev: ChildProcess;
let said = '';
let sql: Sql;

const file = (path: string) => join(copy, path);

function change(path: string, from: string, to: string): void {
  const text = readFileSync(file(path), 'utf8');
  if (!text.includes(from)) throw new Error(`${path} does not say “${from}”`);
  writeFileSync(
    file(path),
    text.replace(from, () => to),
  );
}

/** Polls for a result; the deadline only ends a failed test. */
async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (const deadline = Date.now() + patience; ; await pause(40)) {
    const found = await look().catch(() => undefined);
    if (found) return found;
    if (Date.now() > deadline)
      throw new Error(`${what} did not happen. bun run dev said:\n${said}`);
  }
}

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${url}${path}`, { ...init, headers: { accept: 'text/html', ...init.headers } });
const page = async (path: string) => (await get(path)).text();

const withinLimit = async () =>
  ((await (await get('/api/contact/limit')).json()) as { allowed: boolean }).allowed;

const postmaster = () => readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n');

beforeAll(async () => {
  copy = realpathSync(mkdtempSync('/tmp/marche54-dev-'));
  chmodSync(copy, 0o755);
  for (const name of [
    'api',
    'bot',
    'db',
    'dev',
    'jobs',
    'locales',
    'site',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(root, name), file(name), {
      recursive: true,
      filter: (path) => !/\/site\/(dist|\.astro|node_modules)$/.test(path),
    });
  symlinkSync(join(root, 'node_modules'), file('node_modules'));
  data = file('.data');
  await onFreePort(async (port) => {
    url = `http://127.0.0.1:${port}`;
    dev = spawn(process.versions.bun ? process.execPath : 'bun', ['run', 'dev'], {
      cwd: copy,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ASTRO_TELEMETRY_DISABLED: '1',
        DATA_DIR: data,
        PORT: String(port),
        PUBLIC_URL: url,
        // The seed, with its pictures, has its own tests.
        DEMO: '0',
        SMTP_URL: 'smtp://127.0.0.1:1',
        JOBS: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [dev.stdout, dev.stderr])
      stream?.on('data', (chunk) => {
        said += chunk;
      });
    await until(
      'the first page',
      async () => dev.exitCode !== null || (await get('/')).status === 200,
    );
    if (dev.exitCode !== null) throw new Error(`bun run dev ended. It said:\n${said}`);
  });
  const [, , , socketPort, socket] = postmaster();
  sql = postgres({
    host: socket ?? '',
    port: Number(socketPort),
    user: 'postgres',
    database: 'marche54',
    max: 1,
  });
  await sql`create table kept as select 54 as stalls`;
}, 180_000);

afterAll(async () => {
  await sql?.end({ timeout: 1 });
  if (dev && dev.exitCode === null && dev.signalCode === null) {
    dev.kill('SIGTERM');
    await once(dev, 'exit');
  }
  if (copy) rmSync(copy, { recursive: true, force: true });
}, 60_000);

describe('bun run dev serves what changed without being started again', {
  timeout: 180_000,
  retry: 0,
}, () => {
  test('a page, which is the built one with its head and its calm islands', async () => {
    const html = await page('/');
    expect(html).toContain('<html lang="en"');
    expect(html.indexOf('requestIdleCallback')).toBeLessThan(html.indexOf('</head>'));
    expect(html).not.toContain('export default');
    const [, runtime = ''] = /src:"(\/_astro\/island\.[^"]+)"/.exec(html) ?? [];
    expect((await get(runtime)).status).toBe(200);

    change('site/src/pages/how-it-works.astro', '<h1>{t(', '<h1>Changed {t(');
    await until('the changed page', async () =>
      (await page('/how-it-works')).includes('<h1>Changed '),
    );
    expect(await page('/fr/how-it-works')).toContain('<h1>Changed ');
  });

  test('an island, over the line of the open page', async () => {
    const island = '/src/features/live/LiveLamp.tsx';
    expect((await get(island, { headers: { accept: '*/*' } })).status).toBe(200);
    const [, token = ''] = /wsToken = "([^"]+)"/.exec(await page('/@vite/client')) ?? [];
    const line = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
    const news: string[] = [];
    line.onmessage = ({ data: text }) => news.push(String(text));
    await until('the line', async () => news.some((text) => text.includes('connected')));
    writeFileSync(
      file(`site${island}`),
      `${readFileSync(file(`site${island}`), 'utf8')}\n// changed\n`,
    );
    await until('the news of the island', async () =>
      news.some((text) => text.includes('"update"') && text.includes(island)),
    );
    line.close();
  });

  test('a sentence, on pages and in answers of the API', async () => {
    const answer = async () =>
      ((await (await get('/api/nothing')).json()) as { error: { message: string } }).error.message;
    const sentence = 'We could not find what you asked for.';
    expect(await answer()).toContain(sentence);
    change('locales/en/errors.json', sentence, 'Nothing of the kind.');
    change('locales/en/home.json', 'Cameroon’s Auction and Promo Hub', 'Fifty-four stalls');
    await until('the sentence of the API', async () =>
      (await answer()).startsWith('Nothing of the kind.'),
    );
    await until('the sentence of the page', async () =>
      (await page('/')).includes('Fifty-four stalls'),
    );
  });

  test('a verb, on the same database', async () => {
    const [before] = postmaster();
    expect(await withinLimit()).toBe(true);
    change('api/contact/request.ts', 'return withinLimits(', 'return !withinLimits(');
    await until('the changed verb', async () => (await withinLimit()) === false);
    expect(await sql`select stalls from kept`).toEqual([{ stalls: 54 }]);
    expect(postmaster()[0]).toBe(before);
  });

  test('and says that the API is away while it cannot be read, until it can', async () => {
    change('api/contact/rules.ts', 'export', 'export export');
    const away = await until('the page that says so', async () => {
      const answer = await get('/');
      return answer.status === 503 && answer;
    });
    expect(await away.text()).toContain('The API is away');
    expect(away.headers.get('refresh')).toBe('1');
    const refused = await get('/api/slots', { headers: { accept: 'application/json' } });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('away') },
    });
    await until('the terminal’s word', async () =>
      said.includes('It starts again at the next change'),
    );
    change('api/contact/rules.ts', 'export export', 'export');
    await until('the page', async () => (await get('/')).status === 200);
  });

  test('and stops all that it started', async () => {
    const server = Number(postmaster()[0]);
    const children = readFileSync(`/proc/${dev.pid}/task/${dev.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number);
    dev.kill('SIGTERM');
    const [code] = dev.exitCode === null ? await once(dev, 'exit') : [dev.exitCode];
    expect(code).toBe(0);
    expect(isPostgresOf(server, join(data, 'postgres'))).toBe(false);
    expect([...children, dev.pid].filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    expect(existsSync(join(data, 'server.pid'))).toBe(false);
    expect(existsSync(join(data, 'postgres/PG_VERSION'))).toBe(true);
    await expect(get('/healthz')).rejects.toThrow();
  });
});
