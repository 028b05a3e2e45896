import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { type Mark, markFileNames } from '../shared/brand/mark.ts';

/** Row of the table of settings, apart from those that are saved as they are typed. */
export const markKey = 'mark';

const kept = z.object({
  hash: z.string().check(z.regex(/^[\da-f]{12}$/)),
  files: z.object(Object.fromEntries(markFileNames.map((name) => [name, z.base64()]))),
});

/** The mark that is kept; undefined without one. */
export async function readMark({ db }: Pick<Ctx, 'db'>): Promise<Mark | undefined> {
  const { settings: s } = schema;
  const [row] = await db.select({ value: s.value }).from(s).where(eq(s.key, markKey));
  const { success, data } = kept.safeParse(row?.value);
  if (!success) return undefined;
  const files = Object.entries(data.files).map(([name, text]) => [
    name,
    new Uint8Array(Buffer.from(text, 'base64')),
  ]);
  return { hash: data.hash, files: Object.fromEntries(files) };
}

/** Writes or removes the mark, whose files are in base64, with an audit entry that only names it. */
export function writeMark(
  ctx: Ctx,
  mark: { hash: string; files: Record<string, string> } | null,
): Promise<void> {
  const { settings: s } = schema;
  return inTransaction(ctx, async (tx) => {
    await lockNamed(tx, `setting:${markKey}`);
    const before = await readMark(tx);
    const row = { value: mark ?? {}, updatedAt: tx.now(), updatedBy: userIdOf(tx.actor) };
    await tx.db
      .insert(s)
      .values({ key: markKey, ...row })
      .onConflictDoUpdate({ target: s.key, set: row });
    await audit(tx, {
      action: 'settings.write',
      subjectKind: 'settings',
      subjectId: markKey,
      before: before?.hash,
      after: mark?.hash,
    });
  });
}
