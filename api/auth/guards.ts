import { setTimeout as pause } from 'node:timers/promises';
import { inArray } from 'drizzle-orm';
import { parse, serialize } from 'hono/utils/cookie';
import { schema } from '../../db/client.ts';
import { judgeAnswer, putQuestion } from '../challenge/signed.ts';
import type { Ctx, Services } from '../core/context.ts';
import {
  countAttempt,
  countOf,
  giveBack,
  retrySeconds,
  tryCount,
  waitFor,
} from '../core/limits.ts';
import { Refusal } from '../shared/errors.ts';
import type { AuthCtx } from './context.ts';
import { deviceKey } from './device.ts';
import { limits, pass, type Store, type Visit } from './gate.ts';
import type { Reply } from './schema.ts';
import { hashToken } from './tokens.ts';

const minutes = 60;
const hours = 3600;
/** Hashed: the counters must not reveal who has an account. */
const nameOf = (email: string) => hashToken(email).slice(0, 32);

/**
 * Mails of a kind to one mailbox, as `[mails, seconds]`. Above it none is sent, without an error:
 * no window outlasts its links, so the mailbox still has a good one.
 */
const mailboxLimits = {
  'sign-up': [
    [5, hours],
    [20, 24 * hours],
  ],
  reset: [[3, hours]],
  'sign-in': [[2, 15 * minutes]],
  // Separate, so that these never use up the mails that let the owner in.
  'email-proof': [
    [3, hours],
    [6, 24 * hours],
  ],
} as const satisfies Record<string, readonly (readonly [number, number])[]>;
type LimitedMail = keyof typeof mailboxLimits;

const mailKey = (kind: LimitedMail, email: string, seconds: number) =>
  `letters:${kind}:${nameOf(email)}:${seconds}`;

/** False if the mailbox had enough mail of the kind. */
export async function mayMail(ctx: Ctx, kind: LimitedMail, email: string): Promise<boolean> {
  try {
    for (const [max, seconds] of mailboxLimits[kind])
      await countAttempt(ctx, mailKey(kind, email, seconds), max, seconds);
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

type Form = 'sign-in' | 'sign-up' | 'letter';
const questionCookie = 'account_question';

/** A right password gives the counts back. */
export type Admission = { giveBack(): Promise<void> };

/**
 * Counts a request before anything is hashed or mailed. Refuses `auth.challenge` and
 * `auth.wrongAnswer` with a question in their details, `auth.tooManyAttempts`.
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

/** @param link also offers a mailed link: the account itself is under attack */
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

/** Limits right passwords, apart from wrong ones. Refuses `auth.tooManyAttempts`. */
export async function countRight(ctx: Ctx, userId: string): Promise<void> {
  await countAttempt(ctx, `sign-in:right:${userId}`, limits.right.max, limits.right.seconds);
}

/** Clears the counts of an address just proven: they may be a stranger's. */
export async function forgetAttempts(ctx: Ctx, email: string): Promise<void> {
  const letters = Object.entries(mailboxLimits).flatMap(([kind, limits]) =>
    limits.map(([, seconds]) => mailKey(kind as LimitedMail, email, seconds)),
  );
  const { pair, account } = keysOf(ctx, email);
  await ctx.db
    .delete(schema.rateLimit)
    .where(inArray(schema.rateLimit.key, [pair, account, ...letters]));
}

/** Answers no sooner than {@link Services.equalTimeMs}, whether the work ends or fails. */
export async function inEqualTime<T>({ services }: Ctx, work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), pause(services.equalTimeMs)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
