import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Sql } from 'postgres';
import { residentMegabytes } from '../bench/testbed.ts';
import type { Sample } from '../soak/judge.ts';

/** CPU time of each part, in seconds since its start. */
export type Parts = Record<
  'market' | 'postgres' | 'front' | 'generator' | 'program' | 'machine',
  number
>;
export type Seen = Sample & { lines: number; cpu: Parts; at: number };

const ticksPerSecond = 100;
const fieldsOf = (pid: number): number[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    // Ended between two samples.
    return [];
  }
};
/** With `children`, includes children that have ended. */
const cpuSeconds = (pid: number, children = false): number => {
  const [own = 0, kernel = 0, theirs = 0, theirKernel = 0] = fieldsOf(pid).slice(11, 15);
  return (own + kernel + (children ? theirs + theirKernel : 0)) / ticksPerSecond;
};
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => fieldsOf(pid)[1] === parent);
const busySeconds = (): number =>
  cpus().reduce(
    (sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000,
    0,
  );
const descriptors = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};

type Pids = { market: () => number[]; front: number; generator: number };

/** Samples memory, connections, files and CPU time of every part. */
export function openWatch(sql: Sql, pids: Pids, lines: () => number) {
  const started = performance.now();
  let postmaster = 0;
  /** CPU time of ended processes, since each restart counts from 0. */
  const last = new Map<number, number>();
  const ofMarket = () => {
    for (const pid of pids.market()) {
      const now = cpuSeconds(pid, true);
      if (now > 0) last.set(pid, now);
    }
    return [...last.values()].reduce((sum, seconds) => sum + seconds, 0);
  };
  return async function look(): Promise<Seen> {
    if (postmaster === 0) {
      const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      postmaster = fieldsOf(row?.pid ?? 0)[1] ?? 0;
    }
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    const alive = pids.market();
    const megabytes = await Promise.all(alive.map((pid) => residentMegabytes(pid).catch(() => 0)));
    const seconds = (performance.now() - started) / 1000;
    return {
      second: Math.round(seconds),
      at: seconds,
      megabytes: megabytes.reduce((sum, each) => sum + (each || 0), 0),
      connections: row?.n ?? 0,
      files: alive.reduce((sum, pid) => sum + descriptors(pid), 0),
      lines: lines(),
      cpu: {
        market: ofMarket(),
        postgres:
          cpuSeconds(postmaster, true) +
          childrenOf(postmaster).reduce((sum, pid) => sum + cpuSeconds(pid), 0),
        front: pids.front === process.pid ? 0 : cpuSeconds(pids.front),
        generator: cpuSeconds(pids.generator),
        program: cpuSeconds(process.pid),
        machine: busySeconds(),
      },
      // Answer times are judged by their histograms.
      ...{ p50: 0, p95: 0, ruler50: 1, ruler95: 1, answers: 0, failed: 0 },
    };
  };
}

/** CPU shares of all cores between two samples. */
export function sharesBetween(from: Seen, to: Seen): Parts {
  const all = (to.at - from.at) * cpus().length;
  return Object.fromEntries(
    Object.entries(to.cpu).map(([part, seconds]) => [
      part,
      (seconds - from.cpu[part as keyof Parts]) / all,
    ]),
  ) as Parts;
}
