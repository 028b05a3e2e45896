import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url));

/**
 * Runs promtool on the alert rules, their tests and the sample configuration; undefined if not
 * installed.
 */
export function promtool(): { ok: boolean; said: string } | undefined {
  const runs = [
    ['check', 'rules', 'marche54.yml'],
    ['test', 'rules', 'marche54_test.yml'],
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ].map((args) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8', timeout: 30_000 }));
  if (runs.some(({ error }) => (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'))
    return undefined;
  return {
    ok: runs.every(({ status }) => status === 0),
    said: runs.map(({ stdout, stderr }) => `${stdout}${stderr}`).join(''),
  };
}
