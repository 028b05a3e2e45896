import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Jar } from '../../tests/support/jar.ts';

type Environment = Record<string, string>;
const bun = process.versions.bun ? process.execPath : 'bun';

/** Runs Bun in a folder with only the given environment; returns exit code and output. */
export async function runIn(
  folder: string,
  env: Environment,
  args: readonly string[],
  input = '',
): Promise<{ code: number; said: string }> {
  // A command of an older version may hang.
  const child = spawn(bun, args, {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 600_000,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => {}).end(input);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (said += more));
  const [code] = await once(child, 'close');
  return { code: Number(code ?? 1), said: said.trim() };
}

export type Market = {
  url: string;
  /** The ready line. */
  said: string;
  /** Stops it as systemd does; returns its exit code. */
  stop(): Promise<number>;
};

/** Starts the market from sources in a folder. Throws with its output when it ends first. */
export async function startMarket(folder: string, env: Environment): Promise<Market> {
  const child: ChildProcess = spawn(bun, ['--no-env-file', 'api/server.ts'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The market stops its Postgres itself; this program then fails at its next step and cleans up.
  const end = () => child.kill('SIGTERM');
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, end);
  child.once('exit', () => signals.map((signal) => process.off(signal, end)));
  const words: string[] = [];
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on(
    'line',
    (line) => words.push(line) > 20 && words.shift(),
  );
  const said = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on(
      'line',
      (line) => line.startsWith('ready ') && resolve(line),
    );
    child.once('exit', (code) =>
      reject(
        new Error(
          `The market in ${folder} ended with ${code} before it was ready:\n${words.join('\n')}`,
        ),
      ),
    );
  });
  return {
    url: `http://127.0.0.1:${env.PORT}`,
    said,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      return Number(code);
    },
  };
}

/** A browser that keeps cookies between requests. */
export function openBrowser(url: string) {
  const jar = new Jar();
  async function ask(path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST') {
    const headers = new Headers({
      origin: url,
      cookie: jar.header(),
      accept: json === undefined ? 'text/html,*/*' : 'application/json',
    });
    if (json !== undefined) headers.set('content-type', 'application/json');
    const body = json === undefined ? undefined : JSON.stringify(json);
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    jar.keep(response.headers);
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  }
  return {
    ask,
    async signIn(role: 'admin' | 'seller', email: string, password: string): Promise<number> {
      return (
        await ask(role === 'admin' ? '/api/auth/admin/sign-in' : '/api/auth/sign-in', {
          email,
          password,
        })
      ).status;
    },
  };
}

/** Prints each result, and remembers failures. */
export function openReport() {
  const wrong: string[] = [];
  return {
    wrong,
    check(name: string, right: boolean, found: unknown = '') {
      console.log(`${right ? '✓' : '✗'} ${name}${found === '' ? '' : `: ${String(found)}`}`);
      if (!right) wrong.push(name);
    },
  };
}
