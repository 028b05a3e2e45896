import { and, eq, exists, gt, isNotNull, isNull, lte, ne, not, or, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { dayAndTime } from '../shared/format.ts';
import { notify } from './notify.ts';

const { emailChanges: c, sellers, user } = schema;

/** Confirmed changes away from this address that were not taken back, except those of `but`. */
const left = (email: string, but?: string): SQL | undefined =>
  and(
    eq(c.oldEmail, email),
    isNotNull(c.confirmedAt),
    isNull(c.takenBackAt),
    but === undefined ? undefined : ne(c.userId, but),
  );

/**
 * End of the days in which only the account that left an address can have it; undefined if free, or
 * left by `but`.
 */
export async function heldUntil({ db, now }: Pick<Ctx, 'db' | 'now'>, email: string, but?: string) {
  const [row] = await db
    .select({ until: c.heldUntil, language: user.language })
    .from(c)
    .innerJoin(user, eq(user.id, c.userId))
    .where(and(left(email, but), gt(c.heldUntil, now())))
    .limit(1);
  return row?.until ? { until: row.until, language: row.language } : undefined;
}

/** Mails the holder why the address cannot open an account. The caller limits such mails. */
export async function mailHeld(
  ctx: Ctx,
  email: string,
  { until, language }: { until: Date; language: Language },
): Promise<void> {
  const date = dayAndTime(until, language);
  await inTransaction(ctx, (tx) =>
    notify(tx, { email, language }, 'addressHeld', { date }, 'sign-in'),
  );
}

const ofSuspended = (db: Ctx['db']) =>
  exists(
    db
      .select({ id: sellers.id })
      .from(sellers)
      .where(and(eq(sellers.userId, c.userId), eq(sellers.suspended, true))),
  );

/** True if a suspended seller left this address: a change must not lift a suspension. */
export async function leftBySuspended(
  { db }: Pick<Ctx, 'db'>,
  email: string,
  but?: string,
): Promise<boolean> {
  return (await db.$count(c, and(left(email, but), ofSuspended(db)))) > 0;
}

export async function emailsLeftBy({ db }: Pick<Ctx, 'db'>, userId: string): Promise<string[]> {
  const rows = await db
    .select({ email: c.oldEmail })
    .from(c)
    .where(and(eq(c.userId, userId), isNotNull(c.confirmedAt), isNull(c.takenBackAt)));
  return rows.map(({ email }) => email);
}

/**
 * Deletes changes whose link or days are over. Those of suspended sellers stay, so that their old
 * addresses stay barred.
 */
export async function forgetChanges({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  const unproven = and(isNull(c.confirmedAt), lte(c.linkExpiresAt, now()));
  const over = and(lte(c.heldUntil, now()), or(isNotNull(c.takenBackAt), not(ofSuspended(db))));
  const gone = await db.delete(c).where(or(unproven, over)).returning({ id: c.id });
  return gone.length;
}
