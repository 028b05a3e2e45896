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

/** A file that says which process owns something. The first line is the pid alone, for people and scripts. */
export type Claim = { release(): void };
export type Holder = { pid: number };

type Written = Holder & { run: string | undefined; token: string };

/**
 * Claims `file` for this process, or says which live process holds it. The claim of a process that is gone, also one whose
 * pid has since been given to another process, is taken over. Of any number of racing processes exactly one gets it.
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
    // Two processes may both have seen this dead claim. If each simply deleted it, the slower would delete the faster's new
    // one. So the right to replace this very claim (its token never comes back) is itself claimed first.
    const right = claim(`${file}.${holder.token}`);
    if (!('release' in right)) return right;
    try {
      if (read(file)?.token === holder.token && publish(file, token, 'replace')) return mine;
    } finally {
      right.release();
    }
  }
}

/** Puts the finished file in place at one stroke: nobody ever reads a half-written one. False when `create` found one there. */
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

/** For this account alone. Root gives it to the folder's owner, whose next start must be able to read it. */
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
    // A file without a token is damaged (a power cut) or not ours; what tells it from a later one is when it was written.
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
