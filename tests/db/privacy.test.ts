import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { diskStorage } from '../../api/ops/storage.ts';
import { lockDataFolder } from '../../db/datafolder.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { makePrivate, tightenData } from '../../db/privacy.ts';
import { folderInTmp, source } from '../support/processes.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const isRoot = process.geteuid?.() === 0;
/** An account without rights, usable where this one is root. */
const nobody = { uid: 65_534, gid: 65_534 };
let base: string;
beforeEach(() => {
  base = folderInTmp();
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);
/** Paths under a folder, itself included, that other accounts may read, write or enter. */
function openIn(folder: string): string[] {
  const all = [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ];
  return all.filter((path) => !lstatSync(path).isSymbolicLink() && lstatSync(path).mode & 0o077);
}
const write = (path: string, mode: number, text = 'x') => {
  writeFileSync(path, text);
  chmodSync(path, mode);
};
const folderOf = (path: string, mode: number) => {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
};

/** Prepares a data folder in another process, with a umask and optionally another account. */
function inProcess(data: string, { umask = 0, as }: { umask?: number; as?: typeof nobody } = {}) {
  const code = `
    process.umask(${umask});
    const { lockDataFolder } = await import(${JSON.stringify(source('db/datafolder.ts'))});
    const { diskStorage } = await import(${JSON.stringify(source('api/ops/storage.ts'))});
    const lock = await lockDataFolder(${JSON.stringify(data)}, { embedded: false });
    const storage = diskStorage(${JSON.stringify(join(data, 'uploads'))});
    const key = 'products/' + process.pid + '.webp';
    await storage.put(key, new Uint8Array([54]), 'image/webp');
    const keys = [];
    for await (const file of storage.list()) keys.push((await storage.get(file.key))?.[0]);
    const { statSync } = await import('node:fs');
    const pid = statSync(${JSON.stringify(join(data, 'server.pid'))}).mode & 0o777;
    console.log(JSON.stringify({ keys, pid: pid.toString(8), tightened: lock.tightened }));
    await lock.release();`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', code], {
    encoding: 'utf8',
    cwd: '/',
    ...as,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as {
    keys: number[];
    pid: string;
    tightened: { changed: number; foreign: string[] };
  };
}

describe('what the market writes in its data folder', () => {
  test.each([0o000, 0o002, 0o022, 0o077, 0o177])(
    'is its account’s alone, whatever the umask is: %o',
    (umask) => {
      const data = join(base, 'made/on/the/way/data');
      mkdirSync(join(data, '..'), { recursive: true });
      expect(inProcess(data, { umask })).toMatchObject({ keys: [54], pid: '600' });
      expect(openIn(data)).toEqual([]);
      expect([
        modeOf(data),
        modeOf(join(data, 'uploads')),
        modeOf(join(data, 'uploads/products')),
      ]).toEqual(['700', '700', '700']);
    },
  );

  test('is closed at the next start where an older version left it open', async () => {
    const data = folderOf(join(base, 'data'), 0o755);
    for (const folder of ['uploads/products', 'backups', 'whatsapp/session/Default', 'postgres'])
      for (let path = join(data, folder); path !== data; path = join(path, '..'))
        folderOf(path, 0o775);
    for (const file of [
      'uploads/products/a.webp',
      'uploads/products/b.webp.part',
      'backups/marche54-1.tar',
      'whatsapp/session/Default/Cookies',
    ])
      write(join(data, file), 0o664);
    write(join(data, 'server.pid'), 0o644, '4194305\nrun=another-boot:1\ntoken=abc\n');
    write(join(data, 'demo-admin-password'), 0o640);
    write(join(data, 'whatsapp/session/run'), 0o755);
    write(join(data, 'postgres/PG_VERSION'), 0o640);
    write(join(data, 'notes of the operator'), 0o644);
    const lock = await lockDataFolder(data, { embedded: false });
    // Postgres guards its own files, and the operator's are not the market's to change.
    expect(new Set(openIn(data))).toEqual(
      new Set(
        ['notes of the operator', 'postgres', 'postgres/PG_VERSION'].map((name) =>
          join(data, name),
        ),
      ),
    );
    expect([
      modeOf(join(data, 'uploads/products/a.webp')),
      modeOf(join(data, 'whatsapp/session/run')),
    ]).toEqual(['600', '700']);
    expect(lock.tightened).toMatchObject({ changed: 13, foreign: [] });
    await lock.release();
    const again = await lockDataFolder(data, { embedded: false });
    expect(again.tightened).toEqual({ changed: 0, foreign: [] });
    await again.release();
  });

  test('of a folder for photos that two processes share by a link: both use it, and only what is the market’s is closed', () => {
    const shared = folderOf(join(base, 'photos'), 0o755);
    folderOf(join(shared, 'products'), 0o755);
    write(join(shared, 'products/old.webp'), 0o644, '6');
    write(join(shared, 'index of another program'), 0o644);
    const folders = ['one', 'other'].map((name) => folderOf(join(base, name), 0o755));
    for (const data of folders) symlinkSync(shared, join(data, 'uploads'));
    expect(folders.map((data) => inProcess(data).keys.length)).toEqual([2, 3]);
    expect([
      modeOf(shared),
      modeOf(join(shared, 'products')),
      modeOf(join(shared, 'products/old.webp')),
    ]).toEqual(['700', '700', '600']);
    expect(modeOf(join(shared, 'index of another program'))).toBe('644');
    expect(folders.map((data) => lstatSync(join(data, 'uploads')).isSymbolicLink())).toEqual([
      true,
      true,
    ]);
  });

  test('leaves another account’s folder as it is, and says so', () => {
    const data = folderOf(join(base, 'data'), 0o755);
    // For an ordinary user, root's folder belongs to another.
    const theirs = isRoot ? folderOf(join(base, 'theirs'), 0o775) : '/usr';
    if (isRoot) chownSync(theirs, nobody.uid, nobody.gid);
    const before = modeOf(theirs);
    symlinkSync(theirs, join(data, 'uploads'));
    expect(tightenData(data)).toEqual({ changed: 0, foreign: [theirs] });
    expect(modeOf(theirs)).toBe(before);
  });

  test('never follows a link that lies where a file or a folder should be, nor closes a place that everybody shares', () => {
    const data = folderOf(join(base, 'data'), 0o700);
    const outside = folderOf(join(base, 'outside'), 0o755);
    write(join(outside, 'file'), 0o644);
    for (const [name, to] of [
      ['demo-admin-password', 'file'],
      ['backups', '.'],
    ] as const)
      symlinkSync(join(outside, to), join(data, name));
    for (const folder of ['uploads', 'uploads/products']) folderOf(join(data, folder), 0o700);
    symlinkSync(join(outside, 'file'), join(data, 'uploads/products/x.webp'));
    symlinkSync('/nowhere', join(data, 'whatsapp'));
    expect(tightenData(data)).toEqual({ changed: 0, foreign: [] });
    expect([modeOf(outside), modeOf(join(outside, 'file'))]).toEqual(['755', '644']);
    const everybodys = folderOf(join(base, 'everybodys'), 0o755);
    chmodSync(everybodys, 0o1777);
    expect(makePrivate(everybodys)).toEqual({ changed: 0, foreign: [everybodys] });
    expect(statSync(everybodys).mode & 0o7777).toBe(0o1777);
  });

  test('photos that are written over stay closed', async () => {
    const storage = diskStorage(join(base, 'uploads'));
    folderOf(join(base, 'uploads/products'), 0o755);
    write(join(base, 'uploads/products/a.webp'), 0o644);
    write(join(base, 'uploads/products/a.webp.part'), 0o644);
    await storage.put('products/a.webp', new Uint8Array([1]), 'image/webp');
    expect(openIn(join(base, 'uploads'))).toEqual([]);
  });
});

test('the market’s own Postgres works in the closed folder, and others pass through it only where it runs as one of them', async () => {
  const data = join(base, 'data');
  const lock = await lockDataFolder(data);
  const server = await startEmbeddedPostgres({
    folder: join(data, 'postgres'),
    outside: join(base, 'outside'),
    settings: { fsync: 'off' },
  });
  try {
    expect(modeOf(data)).toBe(isRoot ? '711' : '700');
    expect(modeOf(join(data, 'postgres'))).toBe('700');
    expect(
      openIn(data).filter((path) => path !== data && !path.startsWith(join(data, 'postgres'))),
    ).toEqual([]);
  } finally {
    await server.stop();
    await lock.release();
  }
});

describe.runIf(isRoot)('as root', () => {
  const asNobody = (script: string) =>
    spawnSync('/bin/sh', ['-c', script], { ...nobody, encoding: 'utf8' });

  test('another account neither lists nor reads', async () => {
    const data = join(base, 'data');
    const lock = await lockDataFolder(data);
    await diskStorage(join(data, 'uploads')).put(
      'products/a.webp',
      new Uint8Array([54]),
      'image/webp',
    );
    expect(asNobody(`test -x '${data}'`).status).toBe(0);
    for (const act of [
      'ls',
      'cat server.pid',
      'cat uploads/products/a.webp',
      'ls uploads',
      'touch x',
    ])
      expect(asNobody(`cd '${data}' && ${act}`).status, act).not.toBe(0);
    await lock.release();
  });

  test('what root leaves behind, the owner of the folder can use at the next start', async () => {
    const data = folderOf(join(base, 'data'), 0o755);
    chownSync(data, nobody.uid, nobody.gid);
    const { tightened, release } = await lockDataFolder(data, { embedded: false });
    expect([tightened.foreign, modeOf(data), statSync(join(data, 'server.pid')).uid]).toEqual([
      [data],
      '755',
      nobody.uid,
    ]);
    await release();
  });

  test.runIf(
    spawnSync(
      process.execPath,
      ['-e', `await import(${JSON.stringify(source('db/datafolder.ts'))})`],
      { cwd: '/', ...nobody },
    ).status === 0,
  )('an ordinary account has the same', () => {
    const data = folderOf(join(base, 'home/data'), 0o755);
    for (const path of [join(base, 'home'), data]) chownSync(path, nobody.uid, nobody.gid);
    expect(inProcess(data, { as: nobody })).toMatchObject({
      keys: [54],
      pid: '600',
      tightened: { changed: 1, foreign: [] },
    });
    expect([openIn(data), modeOf(data)]).toEqual([[], '700']);
  });
});
