import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { privateFile } from '../privacy.ts';
import { codeOf } from './errors.ts';
import { runOf } from './process.ts';

/** A process's claim, kept in a file. The first line is the bare pid, for people and scripts. */
export type Claim = { release(): void };
export type Holder = { pid: number };

type Written = Holder & { run: string | undefined; token: string };

/**
 * Claims `file`, or returns the live process that holds it. A dead process's claim is taken over,
 * even if its pid was reused. Exactly one of racing processes wins.
 */
export function claim(file: string): Claim | Holder {
  const token = randomBytes(8).toString('hex');
  const mine: Claim = {
    release() {
      if (read(file)?.token === token) rmSync(file, { force: true });
    },
  };
  for (;;) {
    if (publish(file, token, 'create')) return mine;
    const holder = read(file);
    if (!holder) continue;
    if (isAlive(holder)) return { pid: holder.pid };
    // Two processes may have seen this dead claim; if both deleted it, the slower would delete the
    // faster's new one. So the right to replace it, by its unique token, is claimed first.
    const right = claim(`${file}.${holder.token}`);
    if (!('release' in right)) return right;
    try {
      if (read(file)?.token === holder.token && publish(file, token, 'replace')) return mine;
    } finally {
      right.release();
    }
  }
}

/** Atomic, so a half-written file is never read. False if `create` found one. */
function publish(file: string, token: string, how: 'create' | 'replace'): boolean {
  const text = `${process.pid}\nrun=${runOf(process.pid) ?? 'unknown'}\ntoken=${token}\n`;
  const draft = `${file}.${token}.draft`;
  try {
    write(draft, text);
    if (how === 'replace') renameSync(draft, file);
    else linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Root gives the file to the folder's owner, whose next start must read it. */
function write(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', privateFile);
  try {
    fchmodSync(descriptor, privateFile);
    const { uid, gid } = statSync(dirname(file));
    if (process.geteuid?.() === 0) fchownSync(descriptor, uid, gid);
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

function read(file: string): Written | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    // Without a token (power cut, foreign file), inode and time tell it from later ones.
    const { ino, mtimeMs } = statSync(file);
    return {
      pid: Number.parseInt(text, 10) || 0,
      run: /^run=(.+)/m.exec(text)?.[1],
      token: /^token=(\w+)$/m.exec(text)?.[1] ?? `${ino}-${Math.round(mtimeMs)}`,
    };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive({ pid, run }: Written): boolean {
  if (pid <= 0) return false;
  const now = runOf(pid);
  if (now === undefined) return false;
  return run === undefined || run === 'unknown' || now === 'unknown' || run === now;
}
