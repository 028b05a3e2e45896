import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { pack, unpack } from './frames.ts';
import type { Job, Kind } from './jobs.ts';
import { restrict, work } from './work.ts';

/**
 * A picture process: jobs come in over stdin, answers go out over stdout, one at a time. It ends by itself when it was idle for long, and
 * at once when the server is gone, also when that was killed: then stdin ends, and somebody else is the parent.
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

/** People come first: every thread of this process gets a lower priority (threads made later have that of their maker), and the kernel takes it before the server when memory runs out. */
function stepBack(): void {
  try {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), 5);
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has these folders.
    setPriority(5);
  }
}
