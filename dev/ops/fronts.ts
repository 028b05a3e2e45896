import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onFreePort, source } from '../../tests/support/processes.ts';
import { replaced } from '../../tests/support/sample.ts';
import { pathOf } from '../programs.ts';

/** A proxy in front of the market's processes, from the sample of deploy/. */
export type Front = {
  name: string;
  home: string;
  port: number;
  pid: number;
  /**
   * Takes the process on this port out of rotation, or puts all back: manual work with a proxy that
   * does not probe readiness.
   */
  spare?(port?: number): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts Caddy from its sample, with another address and no admin endpoint.
 * @param passing keeps X-Forwarded-For, which one program sends for many visitors
 */
export const openCaddy = (
  ports: readonly number[],
  how: 'one' | 'several' = 'several',
  { passing = false } = {},
): Promise<Front> => onFreePort((port) => startCaddy(port, ports, how, passing));

async function startCaddy(
  port: number,
  ports: readonly number[],
  how: 'one' | 'several',
  passing: boolean,
): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-caddy-'));
  const file = join(folder, 'Caddyfile');
  const kept = '$1\t\theader_up X-Forwarded-For {http.request.header.X-Forwarded-For}\n';
  const changes: [RegExp, string][] = [
    [/^\{\n/m, '{\n\tadmin off\n'],
    ...(passing ? [[/(import \{\$MARKET_HOW:one\}\n)/, kept] as [RegExp, string]] : []),
  ];
  writeFileSync(file, replaced(readFileSync(source('deploy/Caddyfile'), 'utf8'), changes));
  const home = `http://127.0.0.1:${port}`;
  const settings = {
    MARKET_ADDRESS: home,
    MARKET_PROCESSES: ports.map((each) => `127.0.0.1:${each}`).join(' '),
    MARKET_HOW: how,
  };
  const env = {
    ...process.env,
    ...settings,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  return open(
    { name: 'caddy', home, port, folder },
    spawn(String(pathOf('caddy')), ['run', '--adapter', 'caddyfile', '--config', file], {
      env,
      stdio: 'pipe',
    }),
  );
}

/**
 * Starts nginx from its sample, without the redirect and with a test certificate, on an
 * unprivileged port.
 */
export const openNginx = (ports: readonly number[]): Promise<Front> =>
  onFreePort((port) => startNginx(port, ports));

async function startNginx(port: number, ports: readonly number[]): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-nginx-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    '/CN=market.example',
  ];
  spawnSync(String(pathOf('openssl')), [
    'req',
    '-x509',
    '-days',
    '1',
    ...subject,
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  const site = replaced(readFileSync(source('deploy/nginx.conf'), 'utf8'), [
    [
      /\tserver 127\.0\.0\.1:5454 (.+)\n/,
      ports.map((each) => `\tserver 127.0.0.1:${each} $1\n`).join(''),
    ],
    [/server \{\n\tlisten 80;[\s\S]+?\n\}\n/, ''],
    [/listen 443 ssl http2;\n\tlisten \[::\]:443 ssl http2;/, `listen 127.0.0.1:${port};`],
    [/ssl_certificate \S+;/, `ssl_certificate ${certificate};`],
    [/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`],
  ]);
  const own = [
    'client_body_temp_path',
    'proxy_temp_path',
    'fastcgi_temp_path',
    'uwsgi_temp_path',
    'scgi_temp_path',
  ].map((name) => `${name} ${folder}/${name};`);
  const root = process.geteuid?.() === 0 ? 'user root;' : '';
  const main = `${root} daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr warn; events { worker_connections 256; }
http { access_log off; ${own.join(' ')}\n${site}}\n`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, main);
  const child = spawn(String(pathOf('nginx')), ['-p', folder, '-c', file], { stdio: 'pipe' });
  const spare = async (spared?: number) => {
    writeFileSync(
      file,
      spared ? replaced(main, [[new RegExp(`(${spared} max_fails=0);`), '$1 down;']]) : main,
    );
    child.kill('SIGHUP');
  };
  return open({ name: 'nginx', home: `http://127.0.0.1:${port}`, port, spare, folder }, child);
}

/** Waits until the proxy gives any answer. */
async function open(
  { folder, ...front }: Omit<Front, 'stop' | 'pid'> & { folder: string },
  child: ChildProcess,
): Promise<Front> {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (more: string) => (said = (said + more).slice(-4000)));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      // nginx stops its workers only on SIGTERM; Caddy would wait for open connections.
      child.kill(front.name === 'nginx' ? 'SIGTERM' : 'SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for (let left = 100; ; left--) {
    const answers = await fetch(`${front.home}/healthz`).then(
      () => true,
      () => false,
    );
    if (answers) return { ...front, pid: child.pid ?? 0, stop };
    if (left === 0 || child.exitCode !== null) {
      await stop();
      throw new Error(`${front.name} cannot be used: ${said}`);
    }
    await pause(100);
  }
}
