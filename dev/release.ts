import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from '../api/pages/build.ts';
import { wayFrom } from '../db/forward.ts';
import { steps } from '../db/migrated.ts';
import { archive } from './archive.ts';

export const upgradesFrom = 'dev/upgrade/from.json';

const heading = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/gm;
const entry = /^- \S/m;

const versionsOf = (changelog: string) =>
  [...changelog.matchAll(heading)].map(([, name = '', date]) => ({ name, date }));

/** Throws if `Unreleased` is empty. */
export function cutChangelog(changelog: string, version: string, date: string): string {
  const head = '## [Unreleased]\n';
  const [before = '', after] = changelog.split(head);
  if (after === undefined) throw new Error('CHANGELOG.md has no "## [Unreleased]".');
  if (versionsOf(changelog).some(({ name }) => name === version))
    throw new Error(`CHANGELOG.md has version ${version} already.`);
  const entries = after.split(/^## \[/m, 1)[0] ?? '';
  if (!entry.test(entries))
    throw new Error('CHANGELOG.md has no entries under "Unreleased": there is nothing to release.');
  return `${before}${head}\n## [${version}] - ${date}\n${after}`;
}

const parts = (version: string) => version.split('.').map(Number);
const isNewer = (version: string, than: string) => {
  const older = parts(than);
  const first = parts(version).findIndex((part, n) => part !== older[n]);
  return first >= 0 && (parts(version)[first] ?? 0) > (older[first] ?? 0);
};

/**
 * The version asked for, else package.json's if unreleased, else the next minor. Throws if it is
 * malformed or not the newest.
 */
export function chooseVersion(
  asked: string | undefined,
  inManifest: string,
  out: readonly string[],
): string {
  const [major = 0, minor = 0] = parts(inManifest);
  const version = asked ?? (out.includes(inManifest) ? `${major}.${minor + 1}.0` : inManifest);
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error(`${version} is not a version such as 1.2.3.`);
  if (out.includes(version)) throw new Error(`Version ${version} exists already.`);
  const later = out.find((other) => !isNewer(version, other));
  if (later) throw new Error(`Version ${version} would come before ${later}, which is out.`);
  return version;
}

/** Throws with git's message. */
export function git(root: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`git ${args[0]}: ${error?.message ?? stderr.trim()}`);
  return stdout.trim();
}

const blobOf = (root: string, commit: string, file: string): string => {
  const { status, stdout, stderr } = spawnSync('git', ['-C', root, 'show', `${commit}:${file}`], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`git show: ${stderr.trim()}`);
  return stdout;
};

/** Migrations of a commit that this tree no longer knows: databases with them are refused. */
export function changedMigrations(root: string, commit: string): string[] {
  const journal = JSON.parse(blobOf(root, commit, 'db/migrations/meta/_journal.json')) as {
    entries: { tag: string }[];
  };
  const then = journal.entries.map(({ tag }) => ({
    tag,
    hash: createHash('sha256')
      .update(blobOf(root, commit, `db/migrations/${tag}.sql`))
      .digest('hex'),
  }));
  if (wayFrom(then.map(({ hash }) => hash))) return [];
  const known = new Set(steps().map(({ hash }) => hash));
  const changed = then.filter(({ hash }) => !known.has(hash));
  return (changed.length > 0 ? changed : then).map(({ tag }) => tag);
}

/** Hashes of released migrations; tests/db/migrate.test.ts keeps them unchanged. */
const migrationsRecord = 'dev/migrations.json';
const recordMigrations = (): string =>
  `${JSON.stringify(
    steps().map(({ hash }) => hash),
    null,
    2,
  )}\n`;

const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8');
const manifestVersion = (root: string) =>
  (JSON.parse(read(root, 'package.json')) as { version: string }).version;

function requireClean(root: string): void {
  const changed = git(root, 'status', '--porcelain');
  if (changed)
    throw new Error(`A release is made from what is committed. These are not:\n${changed}`);
}

/** Texts by path; changes nothing itself. Throws if there can be no release. */
export function planRelease(
  root: string,
  asked: string | undefined,
  date: string,
): { version: string; changes: Record<string, string> } {
  requireClean(root);
  const branch = git(root, 'rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') throw new Error(`A release is made on main. This is ${branch}.`);
  const changelog = read(root, 'CHANGELOG.md');
  const tags = git(root, 'tag', '--list', 'v*').split('\n');
  const out = [
    ...versionsOf(changelog).map(({ name }) => name),
    ...tags.map((tag) => tag.slice(1)),
  ].filter((name) => /^\d/.test(name));
  const manifest = read(root, 'package.json');
  const version = chooseVersion(asked, manifestVersion(root), out);
  const last = git(root, 'log', '--first-parent', '-2', '--format=%H').split('\n');
  return {
    version,
    changes: {
      'CHANGELOG.md': cutChangelog(changelog, version, date),
      'package.json': manifest.replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`),
      [migrationsRecord]: recordMigrations(),
      [upgradesFrom]: `${JSON.stringify(last, null, 2)}\n`,
    },
  };
}

/** Throws if the version is unreleased or the tree has changes. */
export function releaseDate(root: string): string {
  requireClean(root);
  const version = manifestVersion(root);
  const date = versionsOf(read(root, 'CHANGELOG.md')).find(({ name }) => name === version)?.date;
  if (!date) throw new Error(`CHANGELOG.md has no version ${version}: bun run release makes it.`);
  return date;
}

/** Without files of an earlier build. */
async function buildFresh(root: string): Promise<void> {
  rmSync(join(root, 'site/dist'), { recursive: true, force: true });
  // Astro draws a new key for each build. It seals only server islands, which no page uses, and
  // every release contains it.
  process.env.ASTRO_KEY = Buffer.alloc(32).toString('base64');
  await buildSite();
}

/** Into `dist`, which git ignores. */
async function writeArchive(root: string, date: string): Promise<void> {
  const { name, bytes, sha256 } = await archive(
    root,
    git(root, 'ls-files', '-z').split('\0').filter(Boolean),
    date,
  );
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist', name), bytes);
  writeFileSync(join(root, 'dist', `${name}.sha256`), `${sha256}  ${name}\n`);
  console.log(`dist/${name}: ${(bytes.length / 1e6).toFixed(1)} MB, sha256 ${sha256}`);
}

/**
 * `bun run release [version]` commits, tags and publishes nothing; `--again` rebuilds the archive
 * of the checked-out version.
 */
async function main(): Promise<void> {
  const root = new URL('..', import.meta.url).pathname;
  const { values, positionals } = parseArgs({
    options: { again: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.again) {
    const date = releaseDate(root);
    await buildFresh(root);
    return writeArchive(root, date);
  }
  const date = new Date().toISOString().slice(0, 10);
  const { version, changes } = planRelease(root, positionals[0], date);
  await buildFresh(root);
  for (const [file, text] of Object.entries(changes)) writeFileSync(join(root, file), text);
  await writeArchive(root, date);
  console.log(`
Read what changed (git diff), unpack and try it (bun run unpacked dist/marche54-${version}.tar.gz), then:

  git commit -am "Release ${version}"
  git tag -a v${version} -m "Marché 54 ${version}"
  git push origin main v${version}`);
}

if (import.meta.main)
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
