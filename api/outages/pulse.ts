import type { Ctx } from '../core/context.ts';
import { beat, wasServed } from './beat.ts';
import { outage } from './rules.ts';

export type Pulse = {
  /** Gives back an outage from before this start. */
  resume(): Promise<void>;
  keep(): void;
  /** Resolves when no outage can be waiting: at once, unless the database was away. */
  settled(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  /** Milliseconds of a clock that never jumps; tests pass their own. */
  monotonic?: () => number;
};

export function createPulse(
  ctx: Ctx,
  { monotonic = () => performance.now() }: Options = {},
): Pulse {
  let last = Number.NEGATIVE_INFINITY;
  let under: Promise<void> | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const since = () => (monotonic() - last) / 1000;

  /** Concurrent calls share one beat. */
  function once(): Promise<void> {
    under ??= (async () => {
      const away = since();
      const at = monotonic();
      const given = await beat(ctx, away);
      last = at;
      if (given) {
        const { fromAt, untilAt, listings } = given;
        ctx.services.log.warn('The market could not be reached', {
          from: fromAt.toISOString(),
          until: untilAt.toISOString(),
          listings,
        });
      }
    })().finally(() => {
      under = undefined;
    });
    return under;
  }

  const quietly = () =>
    once().catch((error) =>
      ctx.services.log.warn('The pulse of the market could not be kept', { error }),
    );
  return {
    async resume() {
      if (await wasServed(ctx)) await once();
    },
    keep() {
      void quietly();
      timer = setInterval(quietly, outage.beatEvery * 1000);
      timer.unref();
    },
    async settled() {
      // If this fails too, the database is away, and the caller's own query reports that.
      if (since() > outage.silent) await quietly();
    },
    async stop() {
      clearInterval(timer);
      await quietly();
    },
  };
}
