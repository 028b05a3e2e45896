import type { EmbeddedPostgres } from '../embedded.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { pause } from './process.ts';

export type Keeping = {
  stop(): Promise<void>;
};

type Options = {
  start: () => Promise<EmbeddedPostgres>;
  say: (line: string) => void;
  /**
   * Called after `tries` failed starts in a row; the process should end, so that its supervisor
   * notices.
   */
  giveUp: (error: unknown) => void;
  tries?: number;
  /**
   * While the disk is full, starts are retried without a limit, as a new process would fail too.
   */
  hasRoom?: () => boolean;
  /** Milliseconds; doubles up to ten seconds. */
  pauseMs?: number;
  /** Milliseconds after which a server counts as stable. */
  steadyMs?: number;
};

/**
 * Restarts the embedded server when its process ends unexpectedly. The socket stays the same, so
 * pools and LISTEN reconnect by themselves.
 */
export function keepRunning(
  first: EmbeddedPostgres,
  {
    start,
    say,
    giveUp,
    hasRoom = () => true,
    tries = 5,
    pauseMs = 500,
    steadyMs = 60_000,
  }: Options,
): Keeping {
  const stopped = Promise.withResolvers<void>();
  let stopping = false;
  let current = first;
  let failures = 0;

  async function again(): Promise<boolean> {
    let reason: unknown = new EmbeddedPostgresError(
      'The database process ends again and again soon after it was started.',
    );
    for (
      let wait = failures > 0 ? pauseMs * 2 ** (failures - 1) : 0;
      failures < tries && !stopping;
      wait = Math.min(wait * 2 || pauseMs, 10_000)
    ) {
      if (wait > 0) await Promise.race([pause(wait), stopped.promise]);
      if (stopping) return false;
      failures++;
      try {
        const server = await start();
        if (server.connect().host !== first.connect().host) {
          await server.stop();
          throw new EmbeddedPostgresError(
            'The database came back at another socket, where nobody looks for it.',
          );
        }
        current = server;
        say('The database runs again.');
        return true;
      } catch (error) {
        reason = error;
        say(
          `The database could not be started again (try ${failures} of ${tries}): ${error instanceof Error ? error.message : error}`,
        );
        if (!hasRoom()) failures = 0;
      }
    }
    if (!stopping) giveUp(reason);
    return false;
  }

  const watching = (async () => {
    do {
      const since = performance.now();
      await Promise.race([current.gone(), stopped.promise]);
      if (stopping) return;
      if (performance.now() - since > steadyMs) failures = 0;
      if (!hasRoom()) failures = Math.min(failures, 1);
      say('The database process ended unexpectedly. It is started again.');
    } while (await again());
  })();

  return {
    async stop() {
      stopping = true;
      stopped.resolve();
      await watching;
      await current.stop();
    },
  };
}
