import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bun = process.versions.bun ? process.execPath : 'bun';

export const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * Creates a folder in /tmp, not in TMPDIR, which the account that runs Postgres for root may not
 * read.
 */
export function folderInTmp() {
  const folder = realpathSync(mkdtempSync('/tmp/embedded test '));
  chmodSync(folder, 0o755);
  return folder;
}

const children: ChildProcess[] = [];
export function endsWithTest(child: ChildProcess): void {
  children.push(child);
}

export async function killChildren(): Promise<void> {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** Waits for another process; the test's timeout ends it. */
export async function until(happened: () => boolean) {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Runs code as another server process; `line` returns its next line of output. */
export function inAnotherProcess(
  base: string,
  code: string,
): { child: ChildProcess; line: () => Promise<string> } {
  const file = join(base, `${children.length}.ts`);
  writeFileSync(file, code);
  const child = spawn(bun, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  endsWithTest(child);
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (more: string) => (text += more));
  return {
    child,
    async line() {
      await until(() => text.includes('\n') || child.exitCode !== null);
      return text.split('\n')[0] ?? '';
    },
  };
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/**
 * A local port that nothing uses, below the ephemeral range, so that no connection takes it. Another
 * program still can: prefer port 0, or {@link onFreePort}.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

/** Starts a program that must be told its port, and again on another one where it was taken. */
export async function onFreePort<T>(start: (port: number) => Promise<T>, tries = 5): Promise<T> {
  const port = await freePort();
  try {
    return await start(port);
  } catch (error) {
    if (tries <= 1 || (await isFree(port))) throw error;
    return onFreePort(start, tries - 1);
  }
}
