import type { EmbeddedPostgres } from '../embedded.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { pause } from './process.ts';

export type Keeping = {
  /** Stops watching, and the server. */
  stop(): Promise<void>;
};

type Options = {
  /** Starts the server again, on the same folder. */
  start: () => Promise<EmbeddedPostgres>;
  /** One line for the operator. */
  say: (line: string) => void;
  /** Called once, when `tries` starts in a row did not lead to a server that stays: the process should end, so that its supervisor sees it. */
  giveUp: (error: unknown) => void;
  tries?: number;
  /** Whether its disk has room. Without any no start leads anywhere, of another process neither: it is then tried until there is, and nothing is given up. */
  hasRoom?: () => boolean;
  /** Wait before the second try; each further one waits twice as long, up to ten seconds. */
  pauseMs?: number;
  /** A server that lived for so long counts as one that stays. */
  steadyMs?: number;
};

/**
 * Starts the embedded server again whenever its process ends without having been asked to (killed, out of memory). Its socket stays where it
 * was, so that pools and LISTEN come back by themselves.
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
