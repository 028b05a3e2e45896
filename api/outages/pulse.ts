import type { Ctx } from '../core/context.ts';
import { beat, wasServed } from './beat.ts';
import { outage } from './rules.ts';

/** The pulse of a process that serves the market. */
export type Pulse = {
  /** Gives back what was lost while nobody served the market, if anybody ever did. */
  resume(): Promise<void>;
  /** Says that the market is served, from now on and again and again. */
  keep(): void;
  /** Resolves once this process knows that nothing waits to be given back: at once, unless the database was away for a while. */
  settled(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  /** Milliseconds by a clock that never jumps; tests hand in their own. */
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

  /** However many wait, one beat. */
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
      // Whoever cannot be told now asks a database that is away: that is the answer.
      if (since() > outage.silent) await quietly();
    },
    async stop() {
      clearInterval(timer);
      await quietly();
    },
  };
}
