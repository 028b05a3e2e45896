import { readdirSync, readFileSync } from 'node:fs';
import { Counter, Gauge, type Registry } from 'prom-client';

function read(work: () => number): number | undefined {
  try {
    const value = work();
    return Number.isFinite(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const maxFiles = () =>
  read(() =>
    Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]),
  );

/**
 * Registers the standard process metrics. prom-client's own set adds some forty figures of Node's
 * heap, mostly zero or wrong under Bun.
 */
export function registerProcessMetrics(registry: Registry): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const now = value();
        if (now === undefined) this.remove();
        else this.set(now);
      },
    });
  const startedAt = Date.now() / 1000 - process.uptime();
  gauge('process_resident_memory_bytes', 'Memory that this process holds', () =>
    process.memoryUsage.rss(),
  );
  gauge('process_open_fds', 'Files and connections that this process has open', () =>
    read(() => readdirSync('/proc/self/fd').length),
  );
  gauge(
    'process_max_fds',
    'The most files and connections that this process may have open',
    maxFiles,
  );
  gauge('process_start_time_seconds', 'When this process began', () => startedAt);
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Seconds of processor that this process used',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}
