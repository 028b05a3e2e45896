import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { type Report, reportFile } from './reporter.ts';

const root = new URL('../..', import.meta.url).pathname;

/** Runs a program of the project with Bun; returns its exit code. */
export function run(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...env },
    });
    child.on('close', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });
}

/** Runs Vitest. A run that ends badly without a failed test counts as one failure. */
export async function runVitest(
  projects: readonly string[],
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Report> {
  await rm(reportFile, { force: true });
  const code = await run(
    [
      '--bun',
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...args,
    ],
    env,
  );
  const none: Report = { passed: 0, failed: 0, skipped: [], repeated: [], files: {} };
  const report = await readFile(reportFile, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => none,
  );
  return { ...report, failed: Math.max(report.failed, code === 0 ? 0 : 1) };
}
