import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { codeOf } from './errors.ts';

export type Account = { uid: number; gid: number };

const hasProc = existsSync('/proc/self/stat');

/** True if the pid exists, also as a zombie. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Identifies this run of a process among all that use its pid, by boot and start time. Undefined
 * for dead processes and zombies; 'unknown' if unreadable.
 */
export function runOf(pid: number): string | undefined {
  if (!exists(pid)) return undefined;
  try {
    if (!hasProc) {
      const [state = '', ...started] = execFileSync(
        'ps',
        ['-o', 'stat=,lstart=', '-p', String(pid)],
        { encoding: 'utf8' },
      )
        .trim()
        .split(/\s+/);
      return state.startsWith('Z') ? undefined : started.join('-');
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name, may itself hold spaces and parentheses.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 'ZX'.includes(state) ? undefined : `${bootId()}:${fields[18]}`;
  } catch {
    return 'unknown';
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** True for the Postgres server of `data`, not its children. */
export function isPostgresOf(pid: number, data: string): boolean {
  try {
    if (!hasProc)
      return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
        encoding: 'utf8',
      }).includes(`-D ${data} `);
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    // Children overwrite their arguments ("postgres: checkpointer"), so they never match.
    if (basename(program) !== 'postgres') return false;
    return args[args.indexOf('-D') + 1] === data || readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    return false;
  }
}

/** Ends the children of a killed server of this data directory. */
export function endOrphans(data: string): void {
  for (const pid of hasProc ? readdirSync('/proc') : []) {
    try {
      if (!/^\d+$/.test(pid) || readlinkSync(`/proc/${pid}/cwd`) !== data) continue;
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: '))
        process.kill(Number(pid), 'SIGQUIT');
    } catch {
      // Another user's process, or one that just ended.
    }
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * PG… variables would change what initdb and postgres do, and the account may not enter the working
 * directory, so children start in `/`.
 */
export function surroundings(account?: Account) {
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  return {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: locale, TZ: 'UTC' },
    ...account,
  };
}

/** Rejects only if the program could not be started. */
export function run(
  program: string,
  args: string[],
  account?: Account,
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...surroundings(account),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}
