import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterAll, describe, expect, test } from 'vitest';
import { archive, builtFiles, released, releasedManifest } from '../../dev/archive.ts';
import { chooseVersion, cutChangelog, upgradesFrom } from '../../dev/release.ts';
import { source } from '../support/processes.ts';
import { repositoryFiles, textOf } from '../support/repository.ts';

type Manifest = {
  version: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const manifest = JSON.parse(textOf('package.json')) as Manifest;
const folder = mkdtempSync(join(tmpdir(), 'marche54-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const changelog =
  '# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A stall opens.\n\n## [0.1.0] - 2026-11-01\n\n- All of it.\n';

describe('a version', () => {
  test('takes the entries of Unreleased, and leaves that empty', () => {
    expect(cutChangelog(changelog, '0.2.0', '2026-12-01')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Fixed\n\n- A stall opens.\n\n## [0.1.0] - 2026-11-01\n\n- All of it.\n',
    );
  });

  test('needs entries, and a place for them', () => {
    expect(() =>
      cutChangelog(changelog.replace('- A stall opens.\n', ''), '0.2.0', '2026-12-01'),
    ).toThrow('no entries');
    expect(() => cutChangelog('# Changelog\n', '0.2.0', '2026-12-01')).toThrow(
      'no "## [Unreleased]"',
    );
  });

  test('is new, and after those that are out', () => {
    expect(chooseVersion(undefined, '0.1.0', [])).toBe('0.1.0');
    expect(chooseVersion(undefined, '0.9.3', ['0.9.3', '0.1.0'])).toBe('0.10.0');
    expect(chooseVersion('0.1.1', '0.1.0', ['0.1.0'])).toBe('0.1.1');
    expect(() => chooseVersion('0.1.0', '0.1.0', ['0.1.0'])).toThrow('exists already');
    expect(() => chooseVersion('0.9.9', '0.10.0', ['0.10.0'])).toThrow('before 0.10.0');
    for (const wrong of ['v1.0.0', '1.0', '1.0.0-beta', '../1.0.0'])
      expect(() => chooseVersion(wrong, '0.1.0', [])).toThrow('not a version');
  });
});

/** Paths and contents of a compressed tar. */
async function unpack(bytes: Buffer): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const tar = Readable.from([bytes]).pipe(createGunzip()).pipe(extract());
  for await (const entry of tar) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    found.set(entry.header.name, Buffer.concat(chunks).toString());
  }
  return found;
}

describe('the archive', () => {
  const files = released(repositoryFiles);

  test('has the folders of production and nothing of the tests', () => {
    expect(
      files.filter((file) => /^(tests|\.ci|\.git|node_modules)\/|\.test\.ts$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => file.startsWith('dev/'))).toEqual(['dev/installed.ts']);
    const wanted = [
      'bun.lock',
      'bunfig.toml',
      'package.json',
      'db/migrations/meta/_journal.json',
      'locales/fr/index.ts',
      'deploy/marche54.service',
    ];
    const docs = [
      'docs/runbook/install.md',
      'README.md',
      'README.fr.md',
      'CHANGELOG.md',
      '.env.example',
      'LICENSE',
    ];
    for (const file of [...wanted, ...docs]) expect(files).toContain(file);
    expect(files).not.toContain('.env');
  });

  test('has every file that its commands import, and of packages only those that production installs', () => {
    const kept = JSON.parse(releasedManifest(textOf('package.json'), files)) as Manifest;
    const commands = Object.values(kept.scripts).flatMap(
      (script) => script.match(/[\w/]+\.ts\b/g) ?? [],
    );
    const { reached, packages } = walk(commands, new Set(files));
    expect(reached.size).toBeGreaterThan(300);
    expect([...reached].filter((file) => !files.includes(file))).toEqual([]);
    const development = new Set(Object.keys(manifest.devDependencies));
    expect(
      [...packages].filter((name) => !(name in manifest.dependencies) || development.has(name)),
    ).toEqual([]);
  });

  test('keeps the commands of an operator, and none that it cannot run', () => {
    const { scripts, ...rest } = JSON.parse(
      releasedManifest(textOf('package.json'), files),
    ) as Manifest;
    expect(rest).toEqual({ ...manifest, scripts: undefined, ...rest });
    const operators = [
      'start',
      'build',
      'admin:create',
      'admin:remove',
      'check',
      'backup',
      'restore',
      'verify-credits',
      'verify-queue',
    ];
    for (const name of operators) expect(scripts).toHaveProperty(name);
    for (const name of ['test', 'lint', 'release', 'dev', 'db:generate', 'attack'])
      expect(scripts).not.toHaveProperty(name);
    expect(scripts.start).toContain('--production');
  });

  test('is the same bytes from the same files, also in another order and at another time', async () => {
    const root = join(folder, 'tree');
    for (const file of ['package.json', 'api/pages/build.ts', 'deploy/market', 'tests/run.ts'])
      cpSync(source(file), join(root, file));
    mkdirSync(join(root, 'site/dist'), { recursive: true });
    writeFileSync(join(root, 'site/dist/.built'), 'x');
    const tracked = ['package.json', 'api/pages/build.ts', 'deploy/market', 'tests/run.ts'];
    const first = await archive(root, tracked, '2026-12-01');
    cpSync(join(root, 'api/pages/build.ts'), join(root, 'other'));
    cpSync(join(root, 'other'), join(root, 'api/pages/build.ts'));
    const second = await archive(root, tracked.toReversed(), '2026-12-01');
    expect(second.sha256).toBe(first.sha256);
    expect(first.name).toBe(`marche54-${manifest.version}.tar.gz`);
    const prefix = `marche54-${manifest.version}/`;
    const unpacked = await unpack(first.bytes);
    expect([...unpacked.keys()]).toEqual(
      ['api/pages/build.ts', 'deploy/market', 'package.json', 'site/dist/.built'].map(
        (file) => `${prefix}${file}`,
      ),
    );
    expect(unpacked.get(`${prefix}api/pages/build.ts`)).toBe(
      readFileSync(source('api/pages/build.ts'), 'utf8'),
    );
  });
});

/** Files that programs import, directly or not, and the packages these import. */
function walk(programs: readonly string[], known: ReadonlySet<string>) {
  const reached = new Set<string>();
  const packages = new Set<string>();
  const queue = [...programs];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    if (!/\.(ts|tsx)$/.test(file) || !known.has(file)) continue;
    const text = textOf(file);
    const imports = new Bun.Transpiler({ loader: file.endsWith('x') ? 'tsx' : 'ts' })
      .scanImports(text)
      .map(({ path }) => path);
    // Child programs and files that are read appear as URLs.
    const addressed = [...text.matchAll(/new URL\('([^']+\.\w+)', import\.meta\.url\)/g)].map(
      ([, path = '']) => (path.startsWith('.') ? path : `./${path}`),
    );
    for (const path of [...imports, ...addressed]) {
      if (path.startsWith('.')) queue.push(join(dirname(file), path));
      else if (!builtin(path)) packages.add(packageOf(path));
    }
  }
  return { reached, packages };
}

const builtin = (path: string) =>
  path === 'bun' ||
  path.startsWith('bun:') ||
  path.startsWith('node:') ||
  builtinModules.includes(path);
const packageOf = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

/** `bun run test` builds the site first. */
test.skipIf(!repositoryFiles.length || !isBuilt())(
  'the built pages import packages that production installs, and name no folder of this machine',
  () => {
    const files = builtFiles(source('.')).filter((file) => file.endsWith('.mjs'));
    expect(files.length).toBeGreaterThan(50);
    const packages = new Set<string>();
    for (const file of files) {
      const text = readFileSync(source(file), 'utf8');
      expect(text.includes(source('site/')), file).toBe(false);
      for (const { path } of new Bun.Transpiler({ loader: 'js' }).scanImports(text))
        if (!path.startsWith('.') && !builtin(path)) packages.add(packageOf(path));
    }
    expect([...packages].filter((name) => !(name in manifest.dependencies))).toEqual([]);
  },
);

function isBuilt(): boolean {
  try {
    return readFileSync(source('site/dist/.built'), 'utf8') !== '';
  } catch {
    return false;
  }
}

test('two commits are named to upgrade from', () => {
  const commits = JSON.parse(textOf(upgradesFrom)) as string[];
  expect(commits).toHaveLength(2);
  for (const commit of commits) expect(commit).toMatch(/^[\da-f]{40}$/);
});
