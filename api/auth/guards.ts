import { setTimeout as pause } from 'node:timers/promises';
import { inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { countAttempt } from '../core/limits.ts';
import { hashToken } from './tokens.ts';

const minutes = 60;
const hours = 3600;
/** An email address in a counter's key: nobody reads from the counters who has an account. */
const nameOf = (email: string) => hashToken(email).slice(0, 32);

/**
 * How many letters of a kind go to one mailbox, as `[letters, seconds]`. Above it nothing is sent, and nobody is refused: at that moment the
 * mailbox holds at least one link of the kind that is still good, whoever asked for it, since no window is longer than its links live.
 */
const letterLimits = {
  'sign-up': [
    [5, hours],
    [20, 24 * hours],
  ],
  reset: [[3, hours]],
  'sign-in': [[2, 15 * minutes]],
} as const satisfies Record<string, readonly (readonly [number, number])[]>;
type LetterKind = keyof typeof letterLimits;

const letterKey = (kind: LetterKind, email: string, seconds: number) => `letters:${kind}:${nameOf(email)}:${seconds}`;

/** Counts a letter to a mailbox; false where enough of its kind were sent lately. */
export async function mayMail(ctx: Ctx, kind: LetterKind, email: string): Promise<boolean> {
  try {
    for (const [max, seconds] of letterLimits[kind]) await countAttempt(ctx, letterKey(kind, email, seconds), max, seconds);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Counts whoever asks for letters by network address, loosely: whole towns share one. Refuses `auth.tooManyAttempts`. */
export async function guardAsking(ctx: Ctx, action: string): Promise<void> {
  await countAttempt(ctx, `${action}:address:${ctx.client.addressHash}`, 100, hours);
}

const tryKeys = (ctx: Ctx, email: string) => ({
  both: `sign-in:account:${nameOf(email)}:${ctx.client.addressHash}`,
  account: `sign-in:account:${nameOf(email)}`,
});

/**
 * Counts a try of a password, at sign-in or sign-up: 10 in a quarter of an hour by account and network address together, so that a stranger's tries do not keep the
 * owner out; 300 by address; 100 an hour by account, which takes a stranger several addresses to use up. A mailed link gets past all three.
 * Refuses `auth.tooManyAttempts`.
 */
export async function guardPassword(ctx: Ctx, email: string): Promise<void> {
  const { both, account } = tryKeys(ctx, email);
  await countAttempt(ctx, both, 10, 15 * minutes);
  await countAttempt(ctx, `sign-in:address:${ctx.client.addressHash}`, 300, 15 * minutes);
  await countAttempt(ctx, account, 100, hours);
}

/** Whoever has just proven the mailbox begins anew: the tries and letters before may have been somebody else's. */
export async function forgetAttempts(ctx: Ctx, email: string): Promise<void> {
  const letters = Object.entries(letterLimits).flatMap(([kind, limits]) => limits.map(([, seconds]) => letterKey(kind as LetterKind, email, seconds)));
  const { both, account } = tryKeys(ctx, email);
  await ctx.db.delete(schema.rateLimit).where(inArray(schema.rateLimit.key, [both, account, ...letters]));
}

/** Longer than what any of these calls does, so that how long one took tells nobody whether an address has an account. */
export const floorMs = 400;

/** Answers or refuses no sooner than {@link floorMs} after it began. */
export async function inEqualTime<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), pause(floorMs)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
