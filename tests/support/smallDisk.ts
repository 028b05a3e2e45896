import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A file system of its own of so many megabytes, which a test can fill. Call it at the top of a test file. Nothing where none may be mounted: root alone may. */
export function smallDisk(megabytes: number): { folder: string; fill(leave?: number): void; free(): void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  chmodSync(folder, 0o755);
  afterAll(() => {
    execFileSync('umount', ['-l', folder]);
    rmdirSync(folder);
  });
  const fillers: string[] = [];
  return {
    folder,
    /** Takes all room but for so many bytes. */
    fill(leave = 0) {
      const write = (bytes: number) => {
        const file = join(folder, `filler-${fillers.length}`);
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
