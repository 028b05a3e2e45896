import { type ChildProcess, spawn } from 'node:child_process';
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

/** A local port that nothing uses. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
