import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Runs ahead of each script of package.json: a fresh clone installs its packages, as `bun start` does. An installed tree is left as it
 * is, and production installs nothing by itself. Standard output and input belong to the script that follows.
 */
const root = new URL('..', import.meta.url).pathname;
// A release (dev/archive.ts) brings its built site, so it needs no packages that build or test.
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
