import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { pack, unpack } from './frames.ts';
import type { Job, Kind } from './jobs.ts';
import { restrict, work } from './work.ts';

/**
 * A picture process, with jobs on stdin and answers on stdout. It dies with the server even if that
 * was killed: stdin ends and the parent changes.
 */
const kind = process.argv[2] as Kind;
const idleMs = Number(process.argv[3]);
const server = process.ppid;

const die = () => process.kill(process.pid, 'SIGKILL');
setInterval(() => {
  if (process.ppid !== server) die();
}, 1000);

let idle: ReturnType<typeof setTimeout> | undefined;
function rest(): void {
  clearTimeout(idle);
  idle = setTimeout(() => process.exit(0), idleMs);
}

const say = (head: object, files: Uint8Array[] = []) => process.stdout.write(pack({ head, files }));

async function answer(job: Job, files: readonly Uint8Array[]): Promise<void> {
  clearTimeout(idle);
  try {
    const { head, files: made } = await work(job, files);
    say(head, made);
  } catch (error) {
    say({ failed: error instanceof Error ? error.message.slice(0, 500) : 'unknown' });
  }
  rest();
}

restrict(kind);
stepBack();
say({ ready: true });
const read = unpack(({ head, files }) => void answer(head as Job, files));
for await (const chunk of Bun.stdin.stream()) read(chunk);
die();

/**
 * Lowers every thread's priority (later threads inherit it) and makes the kernel kill this process
 * before the server when memory runs out.
 */
function stepBack(): void {
  try {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), 5);
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has /proc.
    setPriority(5);
  }
}
