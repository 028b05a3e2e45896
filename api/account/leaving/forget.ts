import { and, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Tx } from '../../core/context.ts';

type Gone = {
  userId: string;
  sellerId: string | null;
  productIds: string[];
  postIds: string[];
  emails: string[];
  numbers: string[];
  names: string[];
};

/** Replaces a forgotten text; the log's trigger allows nothing else (db/migrations). */
const emptiedText = '[deleted]';
/** Keys emptied in entries about the person. */
const personal = new Set(['name', 'email', 'title', 'reason', 'subject', 'message', 'barred']);

/**
 * Removes a person from the audit log; who (a number), what and when stay. The log allows this
 * change alone, only in a transaction that sets `marche54.forgetting`.
 */
export async function forgetInAudit(
  tx: Tx,
  { userId, sellerId, productIds, postIds, emails, numbers, names }: Gone,
): Promise<void> {
  const { auditLog: log } = schema;
  // As stored, and the last nine digits, as people write it.
  const signs = [...emails, ...numbers.flatMap((number) => [number, number.slice(-9)])];
  const own = [...signs, ...names.filter((name) => name !== '')].map((word) => word.toLowerCase());
  const mentioned = (column: typeof log.before | typeof log.after): SQL | undefined =>
    or(
      ...signs.map((sign) =>
        ilike(sql`${column}::text`, `%${sign.replaceAll(/[\\%_]/g, '\\$&')}%`),
      ),
    );
  await tx.db.execute(sql`select set_config('marche54.forgetting', 'on', true)`);
  await tx.db.update(log).set({ actorName: null }).where(eq(log.actorId, userId));
  const about = or(
    and(eq(log.subjectKind, 'user'), inArray(log.subjectId, [userId, ...emails])),
    sellerId === null ? undefined : and(eq(log.subjectKind, 'seller'), eq(log.subjectId, sellerId)),
    postIds.length === 0
      ? undefined
      : and(eq(log.subjectKind, 'post'), inArray(log.subjectId, postIds)),
    and(
      inArray(log.subjectKind, ['user', 'seller']),
      or(mentioned(log.before), mentioned(log.after)),
    ),
  );
  const aboutTheirs =
    productIds.length === 0
      ? undefined
      : and(inArray(log.subjectKind, ['product', 'report']), inArray(log.subjectId, productIds));
  const lines = await tx.db
    .select({
      id: log.id,
      subjectId: log.subjectId,
      subjectName: log.subjectName,
      before: log.before,
      after: log.after,
      about: sql<boolean>`(${about}) is true`,
    })
    .from(log)
    .where(
      or(about, aboutTheirs, eq(log.actorId, userId), mentioned(log.before), mentioned(log.after)),
    );
  for (const { id, subjectId, subjectName, before, after, about: whole } of lines) {
    const without = (value: unknown) => emptied(value, own, whole ? personal : new Set());
    await tx.db
      .update(log)
      .set({
        subjectId:
          subjectId !== null && emails.includes(subjectId.toLowerCase()) ? null : subjectId,
        subjectName: whole || isNamedIn(subjectName, own) ? null : subjectName,
        before: without(before),
        after: without(after),
      })
      .where(eq(log.id, id));
  }
  await tx.db.execute(sql`select set_config('marche54.forgetting', 'off', true)`);
}

const isNamedIn = (value: unknown, own: readonly string[]): boolean =>
  own.some((word) => JSON.stringify(value)?.toLowerCase().includes(word));

/** Copies a value, emptying texts under `keys` and texts with one of `words`. */
function emptied(
  value: unknown,
  words: readonly string[],
  keys: ReadonlySet<string>,
  all = false,
): unknown {
  if (typeof value === 'string')
    return all || words.some((word) => value.toLowerCase().includes(word)) ? emptiedText : value;
  if (Array.isArray(value)) return value.map((entry) => emptied(entry, words, keys, all));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      emptied(entry, words, keys, all || keys.has(key)),
    ]),
  );
}
