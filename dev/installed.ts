import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Installs missing packages before each script, never in production. Writes to standard error: the
 * other streams belong to the script.
 */
const root = new URL('..', import.meta.url).pathname;
// A release (dev/archive.ts) includes its built site.
const isRelease = !existsSync(`${root}dev/release.ts`);
const flags = ['--frozen-lockfile', ...(isRelease ? ['--production'] : [])];
const install = `bun install ${flags.join(' ')}`;

if (!existsSync(`${root}node_modules`)) {
  if (process.env.NODE_ENV === 'production') {
    console.error(
      `The packages are not installed. In production nothing is installed without being asked: run "${install}" first.`,
    );
    process.exit(1);
  }
  const { status } = spawnSync(process.execPath, ['install', ...flags, '--silent'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    console.error(`The packages could not be installed: "${install}" says why.`);
    process.exit(1);
  }
}
