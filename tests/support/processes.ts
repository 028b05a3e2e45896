import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bun = process.versions.bun ? process.execPath : 'bun';

/** The path of a file of the repository. */
export const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A folder of its own, not in the TMPDIR of whoever runs the tests: that may be closed to the account which root hands Postgres to. */
export function folderInTmp() {
  const folder = realpathSync(mkdtempSync('/tmp/embedded test '));
  chmodSync(folder, 0o755);
  return folder;
}

const children: ChildProcess[] = [];
/** Ends a process with the test. */
export function endsWithTest(child: ChildProcess): void {
  children.push(child);
}

/** Kills what the test left running. */
export async function killChildren(): Promise<void> {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** Waits for something that another process does; the test's own timeout ends it. */
export async function until(happened: () => boolean) {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Runs a program in a process of its own, as another server process would; it reports with lines on its standard output. */
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
