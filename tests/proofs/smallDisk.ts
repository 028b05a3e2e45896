import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { mountAs } from '../../dev/programs.ts';

type Mounted = {
  here: string;
  /** Wraps a command so that it finds the disk at `folder`. */
  inside(command: readonly string[]): readonly string[];
  unmount(): void;
};
export type SmallDisk = Omit<Mounted, 'unmount'> & {
  folder: string;
  fill(leave?: number): void;
  free(): void;
};

/**
 * Mounts a small file system to fill. Call it at the top of a proof that `mounts`.
 */
export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-disk-'));
  const mounted =
    process.geteuid?.() === 0 ? byRoot(folder, megabytes) : await ofItsOwn(folder, megabytes);
  const { here, inside, unmount } = mounted;
  chmodSync(here, 0o755);
  afterAll(() => {
    unmount();
    rmdirSync(folder);
  });
  const fillers: string[] = [];
  return {
    folder,
    here,
    inside,
    fill(leave = 0) {
      const write = (bytes: number) => {
        const file = join(here, `filler-${fillers.length}`);
        fillers.push(file);
        writeFileSync(file, Buffer.alloc(bytes));
        return file;
      };
      const reserve = leave > 0 ? write(leave) : undefined;
      for (let bytes = 1 << 20; bytes >= 4096; )
        try {
          write(bytes);
        } catch {
          bytes /= 4;
        }
      if (reserve) rmSync(reserve);
    },
    free() {
      for (const file of fillers.splice(0)) rmSync(file, { force: true });
    },
  };
}

function byRoot(folder: string, megabytes: number): Mounted {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  return {
    here: folder,
    inside: (command) => command,
    unmount: () => execFileSync('umount', ['-l', folder]),
  };
}

/**
 * Mounts without root in a user namespace: the disk exists for a process that ends with the tests,
 * and those that join it.
 */
async function ofItsOwn(folder: string, megabytes: number): Promise<Mounted> {
  const script = 'mount -t tmpfs -o size="$1"m tmpfs "$0" && echo mounted && exec cat';
  const args = [...mountAs, 'sh', '-c', script, folder, String(megabytes)];
  const keeper = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const gone = once(keeper, 'exit').catch(() => {});
  if (!(await Promise.race([once(keeper.stdout, 'data'), gone.then(() => undefined)])))
    throw new Error('A disk could not be mounted');
  const target = String(keeper.pid);
  return {
    here: `/proc/${target}/root${folder}`,
    inside: (command) => [
      'nsenter',
      '--user',
      '--mount',
      '--preserve-credentials',
      '--target',
      target,
      ...command,
    ],
    unmount: () => keeper.kill(),
  };
}
