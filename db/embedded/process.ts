import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { codeOf } from './errors.ts';

/** The account under which Postgres runs when we are root, which it refuses to be. */
export type Account = { uid: number; gid: number };

const hasProc = existsSync('/proc/self/stat');

/** Whether there is a process with this pid, one that is dead but not yet collected included. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * A word that tells this run of a process from every other process that has had or will have its pid: boot and start time.
 * Undefined when no such process lives (one that is dead but not yet collected by its parent does not live either);
 * 'unknown' when it lives but its start time cannot be seen.
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
    // The second field is the name in parentheses and may itself hold spaces and parentheses.
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

/** Whether this process is the Postgres server (not a child of one) whose data directory is `data`. */
export function isPostgresOf(pid: number, data: string): boolean {
  try {
    if (!hasProc)
      return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
        encoding: 'utf8',
      }).includes(`-D ${data} `);
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    // Children of a server write "postgres: checkpointer" over their arguments, so they never match.
    if (basename(program) !== 'postgres') return false;
    return args[args.indexOf('-D') + 1] === data || readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    return false;
  }
}

/** Ends what is left of a killed server of this data directory: its children, which work in there and are named "postgres: …". */
export function endOrphans(data: string): void {
  for (const pid of hasProc ? readdirSync('/proc') : []) {
    try {
      if (!/^\d+$/.test(pid) || readlinkSync(`/proc/${pid}/cwd`) !== data) continue;
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: '))
        process.kill(Number(pid), 'SIGQUIT');
    } catch {
      // Another user's process, or one that ended meanwhile.
    }
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * What our children see of the environment. PG… variables of the person's shell would change what initdb and postgres do, and
 * the working directory may be one that the account cannot enter, so children always start in `/`.
 */
export function surroundings(account?: Account) {
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  return {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: locale, TZ: 'UTC' },
    ...account,
  };
}

/** Runs a short program to its end. Rejects only when it could not be started at all. */
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
