import type { Subprocess } from 'bun';
import { ownEnvironment } from '../../tests/support/ownEnvironment.ts';
import { finishMessages, reckon } from '../faults/reckon.ts';
import { openWatch, type Seen } from '../testbed/watch.ts';
import { countNow, dayActs, promisesIn } from './ledger.ts';
import type { FromGenerator, Order, Report, ToGenerator } from './order.ts';
import { openTestbed, type TestbedOptions } from './testbed.ts';
import { openTroubles, peakFrom, peakPart, type Troubles } from './trouble.ts';

export type DayOptions = TestbedOptions & {
  seconds: number;
  visits: number;
  uploads: number;
  chats: number;
  seed: number;
  everyone?: boolean;
  /**
   * Seconds between two backups, with every `restoreEvery`-th restored; undefined makes one backup.
   */
  backupEvery?: number | undefined;
  restoreEvery?: number;
  /** Called with each sample, all through the day. */
  onLook?: (seen: Seen, visits: number) => void;
};
export type Day = {
  report: Report;
  seen: Seen[];
  troubles: Troubles;
  lost: string[];
  violations: string[];
  peak: Order['peak'];
  acknowledged: number;
};

/** Factor on the rate of visits during the peak. */
const peakTimes = 10;
/** Samples of memory, connections and files in a day, and the least seconds between two. */
const [looks, leastSeconds] = [240, 0.5];

/** Runs a market day, from its first visit to comparing its promises with the database. */
export async function runDay(options: DayOptions): Promise<Day> {
  const { seconds, say } = options;
  const testbed = await openTestbed(options);
  let crowd: Awaited<ReturnType<typeof startCrowd>> | undefined;
  try {
    const { machines, networks, front } = testbed;
    const { sql } = machines;
    const before = await countNow(sql);
    const peak = {
      from: peakFrom * seconds,
      to: (peakFrom + peakPart) * seconds,
      times: peakTimes,
    };
    const { visits, uploads, chats, seed, everyone = false } = options;
    // On a short day people hurry, and event streams stay open for the same part of it.
    const hurry = { pace: Math.min(1, seconds / 600), lineSeconds: Math.min(240, seconds / 6) };
    say('the day begins');
    crowd = await startCrowd({
      ...testbed.order,
      ...hurry,
      seconds,
      visits,
      peak,
      uploads,
      chats,
      seed,
      everyone,
    });
    const { send, open, visits: visitsNow } = crowd;
    const seen: Seen[] = [];
    const look = openWatch(sql, () => machines.all.map(({ server }) => server.pid()), open);
    let over = false;
    const watching = (async () => {
      const every = Math.max(leastSeconds, seconds / looks);
      for (let n = 1; !over && n * every <= seconds; n++) {
        const one = await look();
        seen.push(one);
        options.onLook?.(one, visitsNow());
        await Bun.sleep((every * n - one.at) * 1000);
      }
    })();
    const { backupEvery, restoreEvery = 10 } = options;
    const [troubles] = await Promise.all([
      openTroubles(testbed, {
        seconds,
        backupEvery,
        restoreEvery,
        enter: (phase) => send({ phase }),
        say,
      }),
      Promise.race([Bun.sleep(seconds * 1000), crowd.report]),
    ]);
    over = true;
    await watching;
    send({ end: true });
    say('the last visits end');
    const report = await crowd.report;

    say('reckoning');
    const found = { lost: [] as string[], violations: [...troubles.violations] };
    for (const { home } of machines.all)
      if (
        !(await fetch(`${home}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        found.violations.push(`${home} does not answer any more`);
    await finishMessages({ sql, heard: networks.heard }, found);
    await reckon(machines, found, dayActs, promisesIn(report, before));
    for (const src of report.uploaded) {
      const { status } = await fetch(`${front.home}${src}`, {
        headers: { 'x-forwarded-for': '192.0.2.98' },
      });
      if (status !== 200) found.lost.push(`the file of an upload, ${src}: ${status}`);
    }
    const acknowledged = Object.values(report.written).reduce(
      (sum, { texts }) => sum + texts.length,
      0,
    );
    return { report, seen, troubles, peak, acknowledged, ...found };
  } finally {
    crowd?.stop();
    await testbed.stop();
  }
}

/** Starts the generator in its own process and waits for its first visit. */
async function startCrowd(order: Order) {
  let [open, visits] = [0, 0];
  let begun = () => {};
  let reported: (report: Report) => void = () => {};
  let failed: (error: Error) => void = () => {};
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const report = new Promise<Report>((resolve, reject) => {
    reported = resolve;
    failed = reject;
  });
  report.catch(() => {});
  const child: Subprocess = Bun.spawn(
    [process.execPath, '--no-env-file', new URL('./generator.ts', import.meta.url).pathname],
    {
      // Bun's default limit is 256 requests at once.
      env: { ...ownEnvironment(), BUN_CONFIG_MAX_HTTP_REQUESTS: '20000' },
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc(message: FromGenerator) {
        if ('begun' in message) begun();
        else if ('report' in message) reported(message.report);
        else [open, visits] = [message.open, message.visits];
      },
      onExit: () => failed(new Error('The generator ended before its report')),
    },
  );
  const send = (message: ToGenerator) => void (child.exitCode === null && child.send(message));
  send({ begin: order });
  await Promise.race([beginning, report]);
  return {
    report,
    send,
    open: () => open,
    visits: () => visits,
    stop: () => child.kill('SIGKILL'),
  };
}
