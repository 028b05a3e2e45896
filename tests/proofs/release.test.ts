import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changedMigrations,
  git,
  planRelease,
  releaseDate,
  upgradesFrom,
} from '../../dev/release.ts';
import { source } from '../support/processes.ts';
import { textOf } from '../support/repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'marche54-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const changelog =
  '# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A stall opens.\n\n## [0.1.0] - 2026-11-01\n\n- All of it.\n';

describe('bun run release', () => {
  let root = '';
  let n = 0;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const commit = (...args: string[]) =>
    git(root, '-c', 'user.name=T', '-c', 'user.email=t@example.test', ...args);
  beforeEach(() => {
    root = join(folder, `repository${++n}`);
    write('CHANGELOG.md', changelog);
    write('package.json', '{\n  "version": "0.1.0",\n  "scripts": {}\n}\n');
    write(upgradesFrom, '[]\n');
    write('dev/migrations.json', '{}\n');
    git(root, 'init', '--quiet', '--initial-branch=main');
    git(root, 'add', '.');
    for (const message of ['First', 'Second', 'Third'])
      commit('commit', '--quiet', '--allow-empty', '-m', message);
  });

  test('changes changelog, version and the commits to upgrade from', () => {
    const { version, changes } = planRelease(root, undefined, '2026-12-01');
    expect(version).toBe('0.2.0');
    expect(Object.keys(changes)).toEqual([
      'CHANGELOG.md',
      'package.json',
      'dev/migrations.json',
      upgradesFrom,
    ]);
    expect(JSON.parse(changes['package.json'] ?? '')).toMatchObject({ version: '0.2.0' });
    expect(JSON.parse(changes[upgradesFrom] ?? '')).toEqual([
      git(root, 'rev-parse', 'HEAD'),
      git(root, 'rev-parse', 'HEAD~1'),
    ]);
    for (const [file, text] of Object.entries(changes)) write(file, text);
    expect(() => releaseDate(root)).toThrow('not:\n');
    commit('commit', '--quiet', '-am', 'Release 0.2.0');
    expect(releaseDate(root)).toBe('2026-12-01');
  });

  test('refuses what is not committed, another branch, and a version that is a tag', () => {
    write('new.ts', '');
    expect(() => planRelease(root, undefined, '2026-12-01')).toThrow('new.ts');
    rmSync(join(root, 'new.ts'));
    git(root, 'checkout', '--quiet', '-b', 'other');
    expect(() => planRelease(root, undefined, '2026-12-01')).toThrow('made on main');
    git(root, 'checkout', '--quiet', 'main');
    git(root, 'tag', 'v0.3.0');
    expect(() => planRelease(root, '0.3.0', '2026-12-01')).toThrow('exists already');
    expect(() => releaseDate(root)).not.toThrow();
  });
});

test('the commits to upgrade from are in the history, and their migrations are unchanged', ({
  skip,
}) => {
  const root = source('.');
  const commits = JSON.parse(textOf(upgradesFrom)) as string[];
  let shallow = 'true';
  try {
    shallow = git(root, 'rev-parse', '--is-shallow-repository');
  } catch {}
  if (shallow === 'true') skip('no history here: an archive, or a shallow clone');
  for (const commit of commits) {
    expect(git(root, 'merge-base', '--is-ancestor', commit, 'HEAD')).toBe('');
    // Their databases would be refused.
    expect(changedMigrations(root, commit), upgradesFrom).toEqual([]);
    // `bun run upgrades` writes the older backup by this script.
    expect(JSON.parse(git(root, 'show', `${commit}:package.json`)).scripts.backup).toBeDefined();
  }
});
