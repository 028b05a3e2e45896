import { admit } from '../core/access.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { countAttempt, countMore } from '../core/limits.ts';
import { dismiss, type Line, type Pace, readBody } from './body.ts';
import { expectRoom } from './receive.ts';

export type ReceptionLimits = Pace & {
  /** Photos of one account that may be on their way or in judgement at once. The form sends one at a time; a line that died may still hold another. */
  perAccount: number;
  /** Photos that one account may send in an hour. */
  perHour: number;
  /** Bytes of unfinished uploads that this process keeps at once. */
  bytes: number;
};

/** A quarter of the slowest line that matters (8 KB/s), measured over a minute so that a gap in the network's cover ends nothing. */
export const receptionLimits: ReceptionLimits = {
  perAccount: 3,
  perHour: 120,
  bytes: 128 * 1024 * 1024,
  silenceMs: 30_000,
  windowMs: 60_000,
  windowBytes: 60 * 2 * 1024,
};

/** What a photo costs of the hour's number when its process had to be ended. */
const demandingCost = 20;

export type Reception = {
  /**
   * Receives one photo from an account that may send one now, and has `work` done with it. Everything that can be refused without its
   * bytes is refused before they are read. Refuses `uploads.tooManyAtOnce`, `uploads.tooOften`, `uploads.tooMany`, `uploads.tooBig`,
   * `uploads.tooSlow`, `uploads.busy`, and what `work` refuses.
   */
  receive<T>(
    ctx: Ctx,
    name: string,
    line: Line,
    work: (bytes: Uint8Array) => Promise<T>,
  ): Promise<T>;
  /** Bytes that are kept now. */
  readonly held: number;
};

/** Counts uploads that are under way, by account and in bytes, in this process; the hour's number is in the database, for all of them. */
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
        // Its turn and its judging (api/pictures), then the storage.
        line.hold(120);
        try {
          return await work(bytes);
        } catch (error) {
          // A photo that was too much for its process counts as many.
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
