import { randomUUID } from 'node:crypto';
import { eq, like, or, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';

const { user } = schema;
type Account = { email: string; emailVerified: boolean };

/** Domain that can have no mailbox (RFC 2606). */
const nowhere = '@chat.invalid';

/**
 * Placeholder address of an account that began in a chat (decision 049): unique, unguessable, never
 * shown or mailed.
 */
export const addressOfNobody = (): string => `${randomUUID()}${nowhere}`;

/** Null for an account that began in a chat and has no mailbox yet. */
export const mailboxOf = ({ email, emailVerified }: Account): string | null =>
  emailVerified ? email : null;
/** Proven marks by which the owner, and no one else, can name the account. */
export type AccountSigns = { email: string | null; provenNumber: string | null };

/** {@link mailboxOf} as a column. */
export const mailbox = sql<string | null>`case when ${user.emailVerified} then ${user.email} end`;

/** True if the account was proven when made: by its mailbox, or its chat's number. */
export const isProven = ({ email, emailVerified }: Account): boolean =>
  emailVerified || email.endsWith(nowhere);
export const proven = or(eq(user.emailVerified, true), like(user.email, `%${nowhere}`)) as SQL;
