import { createHash } from 'node:crypto';
import { desc, notInArray, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';

const { siteReleases: s } = schema;

/** This release, and the one before it. */
const keptReleases = 2;

/**
 * Keeps the scripts of this release in the database, and forgets those that are older than the one
 * before it: a page that was opened before an upgrade, or that another machine wrote, loads its own.
 *
 * @param files brotli by path
 */
export async function keepRelease(ctx: Ctx, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  requireAdmin(ctx);
  const id = createHash('sha256')
    .update([...files.keys()].sort().join())
    .digest('hex');
  const values = {
    id,
    startedAt: ctx.now(),
    files: Object.fromEntries(
      [...files].map(([path, packed]) => [path, Buffer.from(packed).toString('base64')]),
    ),
  };
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .insert(s)
      .values(values)
      .onConflictDoUpdate({ target: s.id, set: { startedAt: values.startedAt } });
    const newest = tx.db
      .select({ id: s.id })
      .from(s)
      .orderBy(desc(s.startedAt))
      .limit(keptReleases);
    await tx.db.delete(s).where(notInArray(s.id, newest));
  });
}

/** A script of a kept release in brotli; undefined if none has it. */
export async function releasedFile(
  { db }: Pick<Ctx, 'db'>,
  path: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [row] = await db
    .select({ packed: sql<string>`${s.files} ->> ${path}` })
    .from(s)
    .where(sql`${s.files} ? ${path}`)
    .limit(1);
  return row && new Uint8Array(Buffer.from(row.packed, 'base64'));
}
