import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Front, openCaddy, openNginx } from '../../dev/ops/fronts.ts';
import { openPeople, type Person } from '../../dev/testbed/people.ts';
import { openRun, openServer, type Server, testbedEnv, urlOf } from '../../dev/testbed/server.ts';
import { freshDatabase } from '../support/database.ts';
import { jpeg } from '../support/photos.ts';
import { freePort } from '../support/processes.ts';
import { openUpload, pause } from '../support/rawUpload.ts';

/**
 * The samples of deploy/ in front of two processes on one machine, set up as in docs/runbook.md.
 * With `--long` a photo arrives as slowly as allowed, and a stream stays open for
 * over a minute.
 */
const long = process.env.LONG === '1';
const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'marche54-ops-'));
const openers = [(ports: number[]) => openCaddy(ports), openNginx];
const names = ['caddy', 'nginx'];
let processes: { home: string; port: number; server: Server }[] = [];
let fronts: Front[] = [];
let admin: Person;
const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
const frontNamed = (name: string): Front => fronts.find((front) => front.name === name) as Front;

async function startProcess(name: string): Promise<{ port: number; server: Server }> {
  const data = join(folder, name);
  mkdirSync(data);
  writeFileSync(join(data, 'demo-admin-password'), 'one-for-both-of-them');
  // Without a bucket, processes of one machine share the folder of photos.
  symlinkSync(join(folder, 'uploads'), join(data, 'uploads'));
  const port = await freePort();
  const server = openServer({
    ...testbedEnv(urlOf(database.target), port, data),
    DRAIN_SECONDS: '2',
    ROLES: 'web',
  });
  undo.push(() => server.kill());
  return { port, server };
}

describe('behind Caddy and nginx', () => {
  beforeAll(async () => {
    mkdirSync(join(folder, 'uploads'));
    const sql = await openRun(urlOf(database.target));
    undo.push(() => sql.end({ timeout: 2 }));
    const started = [await startProcess('one'), await startProcess('other')];
    const [said = ''] = await Promise.all(started.map(({ server }) => server.ready()));
    processes = started.map((each) => ({ ...each, home: `http://127.0.0.1:${each.port}` }));
    fronts = await Promise.all(openers.map((open) => open(started.map(({ port }) => port))));
    undo.push(() => Promise.all(fronts.map((front) => front.stop())));
    ({ admin } = await openPeople(sql, () => String(processes[0]?.home), said));
  }, 60_000);
  afterAll(async () => {
    for (const step of undo.reverse()) await step();
  });

  test.each(names)(
    '%s: a page passes as it was compressed, with its marks, and is not sent twice',
    async (name) => {
      const ask = (home: string, headers: Record<string, string> = {}) =>
        fetch(`${home}/en`, {
          headers: { 'accept-encoding': 'br', ...headers },
          decompress: false,
        } as RequestInit);
      const [direct, passed] = [
        await ask(String(processes[0]?.home)),
        await ask(frontNamed(name).home),
      ];
      const marks = [
        'content-encoding',
        'content-type',
        'cache-control',
        'content-security-policy',
        'vary',
      ];
      expect(passed.headers.get('content-encoding')).toBe('br');
      for (const mark of marks)
        expect(passed.headers.get(mark), mark).toBe(direct.headers.get(mark));
      expect(brotliDecompressSync(await passed.arrayBuffer()).toString()).toContain('</html>');
      // Each process has its own ETags.
      const known = { 'if-none-match': String(passed.headers.get('etag')) };
      const again = await Promise.all(
        Array.from({ length: 20 }, () => ask(frontNamed(name).home, known)),
      );
      expect(new Set(again.map(({ status }) => status))).toContain(304);
    },
  );

  test.each(names)(
    '%s: wrong passwords count for who really asks, whatever the request says of itself',
    async (name) => {
      const { home } = frontNamed(name);
      const body = JSON.stringify({ email: `${name}@example.test`, password: 'a wrong one' });
      const statuses: number[] = [];
      for (let n = 0; n < 12; n++) {
        const headers = {
          origin: home,
          'content-type': 'application/json',
          'x-forwarded-for': `203.0.113.${n}`,
          'x-real-ip': `203.0.113.${n}`,
          forwarded: `for=203.0.113.${n}`,
        };
        statuses.push(
          (await fetch(`${home}/api/auth/sign-in`, { method: 'POST', headers, body })).status,
        );
      }
      expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
      // Another client, at another local address.
      const asked = [
        '--silent',
        '--interface',
        '127.0.0.2',
        '-H',
        `Origin: ${home}`,
        '-H',
        'Content-Type: application/json',
        '-d',
        body,
      ];
      const curl = spawn('curl', [
        ...asked,
        '-w',
        '%{http_code}',
        '-o',
        '/dev/null',
        `${home}/api/auth/sign-in`,
      ]);
      let status = '';
      curl.stdout.on('data', (more) => (status += more));
      await once(curl, 'close');
      expect(status).toBe('401');
    },
  );

  test('a line of events tells at once and outlives its silence, while a photo of 5 MB comes slowly', {
    timeout: long ? 800_000 : 90_000,
  }, async () => {
    const photo = Buffer.concat([await jpeg(), Buffer.alloc(4_900_000)]);
    const trickle = async ({ port }: Front) => {
      const head = {
        host: `127.0.0.1:${port}`,
        origin: `http://127.0.0.1:${port}`,
        cookie: admin.jar.header(),
        'content-type': 'image/jpeg',
      };
      const line = openUpload(port, { ...head, 'content-length': String(photo.byteLength) });
      const piece = long ? 2048 : 131_072;
      for (let at = 0; at < photo.byteLength; at += piece) {
        expect(await line.write(photo.subarray(at, at + piece))).toBe(true);
        await pause(250);
      }
      await vi.waitFor(() => expect(line.status).toBe(201), { timeout: 40_000, interval: 100 });
      line.end();
    };
    const listen = async ({ home }: Front) => {
      const reader = (await fetch(`${home}/api/live`)).body?.getReader();
      const since = performance.now();
      let beats = 0;
      let heard = '';
      // A beat every 20 seconds keeps a proxy from closing the stream.
      while (beats < (long ? 5 : 1)) {
        const part = await reader?.read();
        expect(part?.done).toBe(false);
        heard += new TextDecoder().decode(part?.value);
        beats = heard.split(': \n\n').length - 1;
      }
      if (long) expect(performance.now() - since).toBeGreaterThan(75_000);
      await reader?.cancel();
    };
    await Promise.all(fronts.flatMap((front) => [trickle(front), listen(front)]));
  });

  test('a restart of one process after the other fails no request', {
    timeout: 120_000,
  }, async () => {
    const failed: string[] = [];
    let over = false;
    let answered = 0;
    const ask = async ({ name, home }: Front, path: string, init: RequestInit = {}) => {
      while (!over) {
        const status = await fetch(`${home}${path}`, init).then(
          async (response) => (await response.arrayBuffer()) && response.status,
          (error) => String(error),
        );
        answered++;
        if (status !== 200 && status !== 202) failed.push(`${name} ${path} ${status}`);
        await pause(20);
      }
    };
    const view = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":"view","slotId":7,"productId":"00000000"}',
    };
    const asking = fronts.flatMap((front) => [
      ask(front, '/en'),
      ask(front, '/api/slots'),
      ask(front, '/api/engagement', view),
    ]);
    try {
      for (const { server, port } of processes) {
        await Promise.all(fronts.map((front) => front.spare?.(port)));
        expect(await server.end()).toBe(0);
        await server.start();
        await Promise.all(fronts.map((front) => front.spare?.()));
        // Caddy's probe interval.
        await pause(1500);
      }
    } finally {
      over = true;
      await Promise.all(asking);
    }
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  });
});

describe('Caddy', () => {
  test('shows the pages that a process keeps while nobody is ready, and waits for a single one that restarts', async () => {
    const answer = (request: Request) =>
      new Response('kept', { status: request.url.endsWith('/readyz') ? 503 : 200 });
    const process = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
    const { port = 0 } = process;
    const [several, one] = await Promise.all([openCaddy([port]), openCaddy([port], 'one')]);
    try {
      // After its next readiness probe.
      await vi.waitFor(
        async () => expect((await fetch(`${several.home}/readyz`)).status).toBe(503),
        10_000,
      );
      const page = await fetch(`${several.home}/en`);
      expect([page.status, await page.text()]).toEqual([200, 'kept']);

      await process.stop(true);
      const waiting = fetch(`${one.home}/en`).then(async (response) => [
        response.status,
        await response.text(),
      ]);
      await pause(500);
      const next = Bun.serve({ hostname: '127.0.0.1', port, fetch: answer });
      expect(await waiting).toEqual([200, 'kept']);
      await next.stop(true);
    } finally {
      await Promise.all([several.stop(), one.stop()]);
    }
  }, 30_000);
});

test.each([
  ['Caddy', (port: number) => openCaddy([port], 'one')],
  ['nginx', (port: number) => openNginx([port])],
])(
  '%s refuses /metrics, however it is written, and passes the rest',
  {
    timeout: 30_000,
  },
  async (_, open) => {
    const market = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response('passed'),
    });
    const front = await open(market.port ?? 0);
    try {
      const ask = async (path: string) => {
        const response = await fetch(`${front.home}${path}`, {
          headers: { authorization: 'Bearer a-token' },
        });
        return [response.status, (await response.text()).includes('passed')];
      };
      expect(await ask('/metric')).toEqual([200, true]);
      for (const path of ['/metrics', '/metrics?x=1', '/%6detrics'])
        expect([path, ...(await ask(path))]).toEqual([path, 404, false]);
    } finally {
      await front.stop();
      await market.stop(true);
    }
  },
);
