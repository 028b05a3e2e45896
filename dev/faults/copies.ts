import { rmSync } from 'node:fs';
import { source } from '../../tests/support/processes.ts';

export type Outcome = { ok: boolean; hung: boolean; said: string; ms: number };
type Environment = Record<string, string | undefined>;

/** Runs a command of the project; one that exceeds its time is killed and counts as hung. */
export async function timedCommand(
  file: string,
  env: Environment,
  args: readonly string[],
  { seconds = 120, before = [] as readonly string[] } = {},
): Promise<Outcome> {
  const started = performance.now();
  const child = Bun.spawn([...before, process.execPath, '--no-env-file', source(file), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
  });
  const [said, failed] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  return {
    ok: code === 0,
    hung: child.signalCode === 'SIGKILL',
    said: `${said}${failed}`.trim(),
    ms: performance.now() - started,
  };
}

export const onFolder = (data: string): Environment => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  DATA_DIR: data,
  DEMO: '1',
});

/** Restores a backup into a folder that is then removed; `restore` checks every rule there. */
export async function restoreInto(
  data: string,
  file: string,
  options: { seconds?: number; before?: readonly string[] } = {},
): Promise<Outcome> {
  try {
    return await timedCommand('api/commands/restore.ts', onFolder(data), [file], options);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
