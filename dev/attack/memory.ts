import { readFileSync } from 'node:fs';

const everyMs = 100;

/** Resident memory of a process in MB, without its children; undefined without /proc. */
function residentMegabytes(pid: number): number | undefined {
  try {
    return (
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    );
  } catch {
    return undefined;
  }
}

/** Samples a process's memory until stopped; then returns a summary. */
export function watchMemory(pid: number): { stop(): string } {
  const before = residentMegabytes(pid);
  let highest = before ?? 0;
  const timer = setInterval(() => {
    highest = Math.max(highest, residentMegabytes(pid) ?? 0);
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      const after = residentMegabytes(pid);
      if (before === undefined || after === undefined) return 'memory not measured';
      return `memory ${[before, Math.max(highest, after), after].map(Math.round).join(' → ')} MB`;
    },
  };
}
