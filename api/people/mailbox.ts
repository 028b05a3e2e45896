import { randomUUID } from 'node:crypto';
import { eq, like, or, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';

const { user } = schema;
type Account = { email: string; emailVerified: boolean };

/** A domain in which no mailbox can be (RFC 2606). */
const nowhere = '@chat.invalid';

/**
 * What stands in the row of an account that began in a chat, where an address has to stand (decision 049): another one each time, guessed by
 * nobody, shown and written to by nothing.
 */
export const addressOfNobody = (): string => `${randomUUID()}${nowhere}`;

/** The proven mailbox of an account; nothing where it began in a chat and has none yet. */
export const mailboxOf = ({ email, emailVerified }: Account): string | null =>
  emailVerified ? email : null;
/** How an account is recognised by its owner, and cannot be named by anybody else: what was proven for it. */
export type AccountSigns = { email: string | null; provenNumber: string | null };

/** The same as a column, for whatever shows or exports accounts. */
export const mailbox = sql<string | null>`case when ${user.emailVerified} then ${user.email} end`;

/** Whether an account was proven when it was made: by its mailbox, or by the number of the chat in which it began. */
export const isProven = ({ email, emailVerified }: Account): boolean =>
  emailVerified || email.endsWith(nowhere);
export const proven = or(eq(user.emailVerified, true), like(user.email, `%${nowhere}`)) as SQL;
