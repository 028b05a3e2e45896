import { createHmac } from 'node:crypto';
import { and, eq, gt, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { seal, unseal } from '../outbox/sealing.ts';

/**
 * Parts of a browser's notification beside its text: path of its link, ISO time until which it says
 * something, and a button that ends such messages, with what is shown then.
 */
export type ForBrowsers = {
  path: string;
  until: string;
  end?: { label: string; path: string; done: string };
};

/** Accounts with a subscribed browser (api/push). */
export async function subscribedAccounts(
  { db, now, services: { env } }: Ctx,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0 || env.PUSH_SERVICES.length === 0) return new Set();
  const { pushSubscriptions: b, session } = schema;
  const rows = await db
    .selectDistinct({ userId: session.userId })
    .from(b)
    .innerJoin(session, eq(session.id, b.sessionId))
    .where(and(inArray(session.userId, [...userIds]), gt(session.expiresAt, now())));
  return new Set(rows.map(({ userId }) => userId));
}

/** Recipient of the messages to an account's browsers, as the outbox names it. */
export const browsersKey = (secret: string, userId: string): string =>
  createHmac('sha256', secret).update(`browsers:${userId}`).digest('hex');

export const sealForBrowsers = (secret: string, recipient: string, shown: ForBrowsers): string =>
  seal(secret, 'marche54 browser', recipient, JSON.stringify(shown));

/** Undefined for another recipient's, a changed one, or another secret. */
export function openForBrowsers(
  secret: string,
  recipient: string,
  sealed: string,
): ForBrowsers | undefined {
  try {
    return JSON.parse(unseal(secret, 'marche54 browser', recipient, sealed)) as ForBrowsers;
  } catch {
    return undefined;
  }
}
