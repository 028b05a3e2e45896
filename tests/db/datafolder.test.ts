import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DataFolderInUse, lockDataFolder } from '../../db/datafolder.ts';
import { folderInTmp, inAnotherProcess, killChildren, source } from '../support/processes.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let base: string;
beforeEach(() => {
  base = folderInTmp();
});
afterEach(async () => {
  await killChildren();
  rmSync(base, { recursive: true, force: true });
});

describe('the lock of the data folder', () => {
  test('has one owner, until that one lets go', async () => {
    const lock = await lockDataFolder(join(base, 'data'));
    expect(readFileSync(join(base, 'data/server.pid'), 'utf8').split('\n')[0]).toBe(
      String(process.pid),
    );
    const refused = await lockDataFolder(join(base, 'data')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DataFolderInUse);
    expect(refused).toMatchObject({ pid: process.pid, folder: join(base, 'data') });

    await lock.release();
    const next = await lockDataFolder(join(base, 'data'));
    await lock.release();
    expect(existsSync(join(base, 'data/server.pid'))).toBe(true);
    await next.release();
    expect(readdirSync(join(base, 'data'))).toEqual([]);
  });

  test('is refused while another process has it, and taken over once that is killed', async () => {
    const other = inAnotherProcess(base, owner());
    expect(await other.line()).toBe('mine');
    await expect(lockDataFolder(base)).rejects.toMatchObject({
      name: 'DataFolderInUse',
      pid: other.child.pid,
    });
    other.child.kill('SIGKILL');
    await once(other.child, 'exit');
    await (await lockDataFolder(base)).release();
  });

  test.runIf(existsSync('/proc/self/stat'))(
    'is not mistaken for held when its pid was given to another process',
    async () => {
      writeFileSync(join(base, 'server.pid'), `${process.ppid}\nrun=another-boot:1\ntoken=abc\n`);
      await (await lockDataFolder(base)).release();
      writeFileSync(join(base, 'server.pid'), `${process.ppid}\n`);
      await expect(lockDataFolder(base)).rejects.toThrow(DataFolderInUse);
    },
  );

  test('is taken over when its file is damaged', async () => {
    writeFileSync(join(base, 'server.pid'), '');
    await (await lockDataFolder(base)).release();
  });

  test.each(['free', 'left by a dead process'])(
    'goes to exactly one of several racing starts when it is %s',
    async (state) => {
      if (state !== 'free')
        writeFileSync(join(base, 'server.pid'), '4194305\nrun=another-boot:1\ntoken=abc\n');
      const go = join(base, 'go');
      const racers = Array.from({ length: 8 }, () =>
        inAnotherProcess(
          base,
          owner(`while (!(await Bun.file(${JSON.stringify(go)}).exists())) {}`),
        ),
      );
      writeFileSync(go, '');
      const answers = await Promise.all(racers.map((racer) => racer.line()));
      const winner = racers[answers.indexOf('mine')]?.child.pid;
      expect(answers.filter((answer) => answer === 'mine')).toHaveLength(1);
      expect(readFileSync(join(base, 'server.pid'), 'utf8').split('\n')[0]).toBe(String(winner));
    },
  );

  function owner(first = '') {
    return `
      import { lockDataFolder } from '${source('db/datafolder.ts')}';
      ${first}
      await lockDataFolder(${JSON.stringify(base)}).then(() => console.log('mine'), (error) => console.log(error.name));
      setInterval(() => {}, 1000);`;
  }
});
