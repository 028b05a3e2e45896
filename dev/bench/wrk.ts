import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onEnd } from '../testbed/program.ts';

export type Load = {
  url: string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
  script?: string;
};
export type Loaded = {
  perSecond: number;
  p50: number;
  p99: number;
  requests: number;
  errors: number;
};

/**
 * Path of wrk, if installed. The client must be faster than the server, and no JavaScript client
 * is.
 */
export const wrkPath = Bun.which('wrk');
export const withoutWrk = 'wrk is not installed (Debian: apt-get install wrk)';

let folder: string | undefined;

function launch({ url, headers = {}, connections, seconds, script }: Load) {
  if (!wrkPath) throw new Error(withoutWrk);
  const args = [
    wrkPath,
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    '--timeout',
    '20s',
  ];
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`);
  if (script !== undefined) {
    if (folder === undefined) {
      const made = mkdtempSync(join(tmpdir(), 'marche54-wrk-'));
      onEnd(() => rmSync(made, { recursive: true, force: true }));
      folder = made;
    }
    const file = join(folder, `${Bun.hash(script)}.lua`);
    writeFileSync(file, script);
    args.push('-s', file);
  }
  const child = Bun.spawn([...args, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  onEnd(() => child.kill('SIGKILL'));
  return child;
}

/** Runs wrk in one thread; `script` is optional Lua. */
export async function wrk(load: Load): Promise<Loaded> {
  const child = launch(load);
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`wrk failed:\n${output}`);
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  const latency = (name: string) => {
    const [, value = 'NaN', unit = 'ms'] =
      new RegExp(`${name}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? [];
    return Number(value) * (unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1);
  };
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(
    output,
  );
  const errors =
    (sockets?.slice(1) ?? []).reduce((sum, value) => sum + Number(value), 0) +
    number(/Non-2xx or 3xx responses: (\d+)/);
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: latency('50'),
    p99: latency('99'),
    requests: number(/(\d+) requests in/),
    errors,
  };
}

/** Lua for a steady rate: connections wait a random time after each answer, to avoid waves. */
export const steadily = (perSecond: number, connections: number): string =>
  `local mean = ${(connections / perSecond) * 1000}\nmath.randomseed(54)\nfunction delay() return math.floor(mean * (0.5 + math.random())) end\n`;
