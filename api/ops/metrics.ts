import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { registerProcessMetrics } from './processMetrics.ts';

/** Figures that are counted elsewhere and read on collection. */
type Watched = {
  kept: number;
  written: number;
  lines: Record<'market' | 'connect' | 'admin', number>;
};

/**
 * Counters for the operator (decision 062). Labels are fixed words, never request data, which could
 * fill the memory, and never personal.
 */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  registerProcessMetrics(registry);
  const make = makers(registers);
  const { counter, gauge, seconds } = make;
  let watched: (() => Watched) | undefined;
  watchPages(registers, () => watched?.());
  return {
    registry,
    watch(read: () => Watched): void {
      watched = read;
    },
    requests: counter('http_requests_total', 'Requests that reached the app, by route', [
      'method',
      'route',
      'status',
    ]),
    requestSeconds: seconds(
      'http_request_seconds',
      'From a request to the beginning of its answer',
      ['route'],
      [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    ),
    deliveries: counter(
      'deliveries_total',
      'Messages that this process tried to send, by channel',
      ['channel', 'outcome'],
    ),
    heard: counter(
      'chat_messages_total',
      'Messages of people that this process stored, by channel',
      ['channel'],
    ),
    jobSeconds: seconds(
      'job_seconds',
      'Runs of jobs in this process',
      ['job', 'outcome'],
      [0.01, 0.1, 1, 10, 60, 300],
    ),
    jobSucceeded: gauge(
      'job_last_success_timestamp_seconds',
      'When a job last ended well, in any process',
      ['job'],
    ),
    jobsFailed: counter('job_failures_total', 'Runs of jobs that failed in this process, by job', [
      'job',
    ]),
    disks: {
      free: gauge('disk_free_bytes', 'Free bytes of the disk of a folder', ['folder']),
      size: gauge('disk_size_bytes', 'Size of the disk of a folder', ['folder']),
    },
    backupMade: gauge('backup_newest_timestamp_seconds', 'When the newest backup was made'),
    backupAge: gauge('backup_age_seconds', 'Age of the newest backup'),
    /** Shared by all processes, read from the database. */
    shared: sharedFigures(make),
  };
}

function makers(registers: Registry[]) {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name: `marche54_${name}`, help, labelNames: [...labelNames], registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge<L>({ name: `marche54_${name}`, help, labelNames: [...labelNames], registers });
  const seconds = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[],
  ) =>
    new Histogram<L>({
      name: `marche54_${name}`,
      help,
      labelNames: [...labelNames],
      buckets,
      registers,
    });
  return { counter, gauge, seconds };
}

function watchPages(registers: Registry[], watched: () => Watched | undefined): void {
  new Counter({
    name: 'marche54_pages_total',
    help: 'Public pages from memory (kept), and those that had to be written',
    labelNames: ['outcome'],
    registers,
    collect() {
      const figures = watched();
      if (!figures) return;
      this.reset();
      this.inc({ outcome: 'kept' }, figures.kept);
      this.inc({ outcome: 'written' }, figures.written);
    },
  });
  new Gauge({
    name: 'marche54_live_lines',
    help: 'Open pages that hear of changes',
    labelNames: ['of'],
    registers,
    collect() {
      for (const [of, open] of Object.entries(watched()?.lines ?? {})) this.set({ of }, open);
    },
  });
}

const sharedFigures = ({ gauge }: ReturnType<typeof makers>) => ({
  databaseUp: gauge('database_up', 'Whether the figures of the database could be read'),
  slots: gauge('slots', 'Slots by state', ['state']),
  queue: gauge('queue_waiting', 'Approved products that wait for a slot', ['lane']),
  review: gauge('review_waiting', 'Products that wait for review'),
  outbox: gauge('outbox_waiting', 'Messages that wait to be sent', ['channel']),
  outboxAge: gauge('outbox_oldest_seconds', 'Age of the oldest message that waits', ['channel']),
  refused: gauge(
    'letters_refused',
    'Mails of the last days that the mail server refused for their recipient',
    ['days'],
  ),
  chats: gauge('chats', 'Chats by state', ['channel', 'state']),
  chatUpdates: gauge('chat_updates_waiting', 'Messages of people that wait for an answer', [
    'channel',
  ]),
  chatUpdatesAge: gauge(
    'chat_updates_oldest_seconds',
    'Age of the oldest message that waits for an answer',
    ['channel'],
  ),
  undelivered: gauge(
    'chat_undelivered',
    'Messages of the last day that a network took and could not deliver',
    ['channel'],
  ),
  jobRuns: gauge('job_runs', 'Runs of a job so far, of all processes', ['job']),
  jobFailures: gauge(
    'job_failures_in_a_row',
    'How often a job has failed since it last ended well',
    ['job'],
  ),
  creditAccounts: gauge('credit_accounts', 'Members with a ledger'),
  credits: gauge('credits', 'Credits that members hold'),
  health: gauge('health', 'The newest health checks: 0 healthy, 1 warning, 2 error', ['check']),
  healthChecked: gauge('health_checked_timestamp_seconds', 'When health was last checked'),
  brokenRules: gauge(
    'broken_rules',
    'Rules of the market that did not hold at the last nightly look',
  ),
  alarms: gauge('alarms_open', 'Alarms that are open, by kind', ['kind']),
  purchases: gauge('payments_pending', 'Payments of credits and fees that are not final', [
    'method',
  ]),
});
