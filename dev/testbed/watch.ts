import { readdirSync } from 'node:fs';
import type { Sql } from 'postgres';

/** Resident memory of a process in MB; NaN of one that has ended. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    // It has ended.
    return 0;
  }
}

/** A sample of a market's processes, `at` seconds after the watch began, and its open pages. */
export type Seen = {
  at: number;
  megabytes: number;
  connections: number;
  files: number;
  lines: number;
};

/** Begins a watch; returns what takes a sample. */
export function openWatch(sql: Sql, pids: () => number[], lines: () => number) {
  const started = performance.now();
  return async (): Promise<Seen> => {
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    const megabytes = await Promise.all(pids().map(residentMegabytes));
    return {
      at: (performance.now() - started) / 1000,
      megabytes: megabytes.reduce((sum, each) => sum + (each || 0), 0),
      connections: row?.n ?? 0,
      files: pids().reduce((sum, pid) => sum + openFiles(pid), 0),
      lines: lines(),
    };
  };
}
