import { admit } from '../core/access.ts';
import { type Reception, userIdOf } from '../core/context.ts';
import { countAttempt, countMore } from '../core/limits.ts';
import { Refusal } from '../shared/errors.ts';
import { dismiss, type Pace, readBody } from './body.ts';
import { expectRoom } from './room.ts';

export type ReceptionLimits = Pace & {
  /**
   * Parallel uploads per account. The form sends one; a broken connection may still hold another.
   */
  perAccount: number;
  perHour: number;
  /** Unfinished uploads in this process. */
  bytes: number;
};

/** A quarter of the slowest connection supported (8 KB/s); a minute bridges gaps in coverage. */
export const receptionLimits: ReceptionLimits = {
  perAccount: 3,
  perHour: 120,
  bytes: 128 * 1024 * 1024,
  silenceMs: 30_000,
  windowMs: 60_000,
  windowBytes: 60 * 2 * 1024,
  holdSeconds: 60,
};

/** A photo whose process had to be killed counts as this many. */
const demandingCost = 20;

/** Counts per process, except for the hourly limit, which is in the database. */
export function createReception(options: Partial<ReceptionLimits> = {}): Reception {
  const limits = { ...receptionLimits, ...options };
  const underWay = new Map<string, number>();
  let held = 0;

  return {
    get held() {
      return held;
    },
    async receive(ctx, name, line, work) {
      admit(ctx.actor, ['seller', 'admin']);
      const ownerId = userIdOf(ctx.actor);
      if (!ownerId) throw new Refusal('signInRequired');
      const mine = underWay.get(ownerId) ?? 0;
      if (mine >= limits.perAccount) {
        dismiss(line);
        throw new Refusal('uploads.tooManyAtOnce', { name });
      }
      underWay.set(ownerId, mine + 1);
      let kept = 0;
      const keep = (bytes: number) => {
        if (held + bytes > limits.bytes) throw new Refusal('uploads.busy', { name });
        kept += bytes;
        held += bytes;
      };
      try {
        const key = `photos of ${ownerId}`;
        let counted = 0;
        try {
          await expectRoom(ctx, ownerId);
          counted = await countAttempt(ctx, key, limits.perHour, 3600, 'uploads.tooOften');
        } catch (error) {
          dismiss(line);
          throw error;
        }
        const bytes = await readBody(line, name, limits, keep);
        // Time for queueing, processing and storing.
        line.hold(120);
        try {
          return await work(bytes);
        } catch (error) {
          if (error instanceof Refusal && error.code === 'uploads.tooDemanding')
            await countMore(ctx, key, counted, demandingCost - 1);
          throw error;
        }
      } finally {
        held -= kept;
        const left = (underWay.get(ownerId) ?? 1) - 1;
        if (left > 0) underWay.set(ownerId, left);
        else underWay.delete(ownerId);
      }
    },
  };
}
