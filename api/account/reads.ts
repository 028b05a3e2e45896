import { and, asc, desc, eq, gt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { hasSecondFactor } from '../auth/secondFactor/secondFactor.ts';
import { ownChats } from '../chats/reads.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { hasChat } from '../people/chats.ts';
import { mailboxOf } from '../people/mailbox.ts';
import { ownSwitches } from '../people/switches.ts';
import { Refusal } from '../shared/errors.ts';
import { pendingEmailChange } from './email/emailChange.ts';
import { stakesOf } from './leaving/stakes.ts';
import { isFresh } from './proof.ts';
import { deviceOf, goneAt } from './rules.ts';

const { user, account, session } = schema;

/** Data of the account page. */
export async function ownAccount(ctx: Ctx) {
  const actor = requireAccount(ctx);
  const { userId, sessionId } = actor;
  const [person] = await ctx.db.select().from(user).where(eq(user.id, userId));
  if (!person) throw new Refusal('signInRequired');
  const signIns = await ctx.db
    .select({ provider: account.providerId, password: account.password, since: account.createdAt })
    .from(account)
    .where(eq(account.userId, userId))
    .orderBy(asc(account.createdAt));
  const sessions = await ctx.db
    .select({
      id: session.id,
      userAgent: session.userAgent,
      createdAt: session.createdAt,
      seenAt: session.updatedAt,
    })
    .from(session)
    .where(and(eq(session.userId, userId), gt(session.expiresAt, ctx.now())))
    .orderBy(desc(session.createdAt));
  const sells = 'seller' in actor && actor.seller !== null;
  return {
    name: person.name,
    /** Null if the account began in a chat and has no mailbox yet. */
    email: mailboxOf(person),
    emailChange: await pendingEmailChange(ctx),
    language: person.language,
    since: person.createdAt.toISOString(),
    /** Null if the person has agreed to no terms yet. */
    agreedAt: person.agreedAt?.toISOString() ?? null,
    sells,
    hasPassword: signIns.some(({ password }) => password !== null),
    secondFactor: await hasSecondFactor(ctx, userId),
    /** Without a password: sensitive actions are allowed now. */
    fresh: await isFresh(ctx),
    signIns: signIns.map(({ password: _, since, ...row }) => ({
      ...row,
      since: since.toISOString(),
    })),
    sessions: sessions
      .map(({ userAgent, createdAt, seenAt, id }) => ({
        id,
        ...deviceOf(userAgent),
        since: createdAt.toISOString(),
        seen: seenAt.toISOString(),
        here: id === sessionId,
      }))
      .sort((one, other) => Number(other.here) - Number(one.here)),
    letters: await ownSwitches(ctx),
    /** Null if the market runs no bot. */
    chats: hasChat(ctx.services.env) ? (await ownChats(ctx)).chats : null,
    stakes: await stakesOf(ctx, userId, person.leavingAt),
    goneAt: person.leavingAt && goneAt(person.leavingAt).toISOString(),
  };
}
