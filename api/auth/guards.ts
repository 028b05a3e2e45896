import { setTimeout as pause } from 'node:timers/promises';
import { inArray } from 'drizzle-orm';
import { parse, serialize } from 'hono/utils/cookie';
import { schema } from '../../db/client.ts';
import { judgeAnswer, putQuestion } from '../challenge/signed.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { countAttempt, countOf, giveBack, tryCount, waitFor } from '../core/limits.ts';
import { retrySeconds } from '../core/load.ts';
import type { AuthCtx } from './context.ts';
import { deviceKey } from './device.ts';
import { limits, pass, type Store, type Visit } from './gate.ts';
import type { Reply } from './schema.ts';
import { hashToken } from './tokens.ts';

const minutes = 60;
const hours = 3600;
/** An email address in a counter's key: nobody reads from the counters who has an account. */
const nameOf = (email: string) => hashToken(email).slice(0, 32);

/**
 * How many letters of a kind go to one mailbox, as `[letters, seconds]`. Above it nothing is sent, and nobody is refused: at that moment the
 * mailbox holds at least one link of the kind that is still good, whoever asked for it, since no window is longer than its links live.
 */
const mailboxLimits = {
  'sign-up': [
    [5, hours],
    [20, 24 * hours],
  ],
  reset: [[3, hours]],
  'sign-in': [[2, 15 * minutes]],
  // Of its own: letters about somebody's account must not use up those that lead the owner in.
  'email-proof': [
    [3, hours],
    [6, 24 * hours],
  ],
} as const satisfies Record<string, readonly (readonly [number, number])[]>;
type LetterKind = keyof typeof mailboxLimits;

const letterKey = (kind: LetterKind, email: string, seconds: number) =>
  `letters:${kind}:${nameOf(email)}:${seconds}`;

/** Counts a letter to a mailbox; false where enough of its kind were sent lately. */
export async function mayMail(ctx: Ctx, kind: LetterKind, email: string): Promise<boolean> {
  try {
    for (const [max, seconds] of mailboxLimits[kind])
      await countAttempt(ctx, letterKey(kind, email, seconds), max, seconds);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

const keysOf = ({ client }: Pick<Ctx, 'client'>, email: string) => ({
  pair: `sign-in:account:${nameOf(email)}:${client.addressHash}`,
  account: `sign-in:account:${nameOf(email)}`,
  address: `sign-in:address:${client.addressHash}`,
  letters: `letters:address:${client.addressHash}`,
});

/** The form that a question belongs to. */
type Form = 'sign-in' | 'sign-up' | 'letter';
const questionCookie = 'account_question';

/** Counts of a request; a right password gives them back. */
export type Admission = { giveBack(): Promise<void> };

/**
 * Counts a request that tries a password or asks for a letter, before anything is hashed or sent. Above the free tries it needs a right
 * answer to a question. Refuses `auth.challenge` and `auth.wrongAnswer` with the question among their details, and `auth.tooManyAttempts`.
 */
export async function admit(
  ctx: AuthCtx,
  email: string,
  { form, reply, ...visit }: { form: Form; reply: Reply | undefined } & Omit<Visit, 'answered'>,
): Promise<Admission> {
  const store: Store = {
    tryCount: (key, of) => tryCount(ctx, key, of),
    giveBack: (key, at) => giveBack(ctx, key, at),
    countOf: (key, seconds) => countOf(ctx, key, seconds),
    waitFor: (key, of) => waitFor(ctx, key, of),
  };
  const keys = { ...keysOf(ctx, email), device: await deviceKey(ctx, email) };
  const judged = reply ? await judgeAnswer(ctx, form, reply) : 'void';
  if (judged === 'wrong') await store.tryCount(keys.address, limits.address.most);
  const passed = await pass(store, keys, { ...visit, answered: judged === 'right' });
  if (passed.kind === 'closed')
    throw new Refusal('auth.tooManyAttempts', {}, [], { retryAfter: retrySeconds(passed.waitMs) });
  if (passed.kind === 'question')
    throw await question(
      ctx,
      form,
      judged === 'wrong' ? 'auth.wrongAnswer' : 'auth.challenge',
      passed.scope === 'account',
    );
  return {
    async giveBack() {
      for (const { key, at } of passed.counts) await store.giveBack(key, at);
    },
  };
}

/** @param link whether a mailed link is offered too: the account itself is under attack */
async function question(
  ctx: AuthCtx,
  form: Form,
  code: 'auth.challenge' | 'auth.wrongAnswer',
  link: boolean,
): Promise<Refusal> {
  const put = await putQuestion(
    ctx,
    form,
    parse(ctx.headers.get('cookie') ?? '', questionCookie)[questionCookie],
  );
  const secure = ctx.services.env.publicUrl.startsWith('https:');
  const cookie = serialize(questionCookie, put.token, {
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    maxAge: 600,
  });
  return new Refusal(code, {}, [], { details: { ...put, link }, cookies: [cookie] });
}

/** Counts a right password: 60 in 15 minutes for an account, however many wrong ones others typed. Refuses `auth.tooManyAttempts`. */
export async function countRight(ctx: Ctx, userId: string): Promise<void> {
  await countAttempt(ctx, `sign-in:right:${userId}`, limits.right.max, limits.right.seconds);
}

/** Whoever has just proven the mailbox begins anew: the tries and letters before may have been somebody else's. */
export async function forgetAttempts(ctx: Ctx, email: string): Promise<void> {
  const letters = Object.entries(mailboxLimits).flatMap(([kind, limits]) =>
    limits.map(([, seconds]) => letterKey(kind as LetterKind, email, seconds)),
  );
  const { pair, account } = keysOf(ctx, email);
  await ctx.db
    .delete(schema.rateLimit)
    .where(inArray(schema.rateLimit.key, [pair, account, ...letters]));
}

/** Longer than what any of these calls does, so that how long one took tells nobody whether an address has an account. */
export const floorMs = 400;

/** Answers or refuses no sooner than {@link floorMs} after it began. */
export async function inEqualTime<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), pause(floorMs)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
