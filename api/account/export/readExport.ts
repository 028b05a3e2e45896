import { makeZip } from 'client-zip';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { requireAccount } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction, lockNamed } from '../../core/transaction.ts';
import { Refusal } from '../../shared/errors.ts';
import { limits } from '../rules.ts';
import { filesOf } from './files.ts';
import { expectNoneRuns } from './running.ts';
import { ownerOf } from './section.ts';

const { dataExports } = schema;

/** Refuses as {@link readExport}, without using the link up; null is the body of HEAD. */
export async function requireExport(ctx: Ctx, id: string): Promise<null> {
  const { userId } = requireAccount(ctx);
  const fresh = gt(dataExports.askedAt, new Date(ctx.now().getTime() - limits.exportLinkMs));
  const own = and(
    eq(dataExports.id, id),
    eq(dataExports.userId, userId),
    isNull(dataExports.begunAt),
    fresh,
  );
  const [link] = await ctx.db.select({ id: dataExports.id }).from(dataExports).where(own);
  if (!link) throw new Refusal('account.exportGone');
  await expectNoneRuns(ctx, userId);
  return null;
}

/**
 * Streams the zip of a link, with one file in memory at a time and no database connection held in
 * between. Refuses `account.exportGone` for a used, old or foreign link, and
 * `account.exportRunning`.
 */
export async function readExport(ctx: Ctx, id: string): Promise<ReadableStream<Uint8Array>> {
  const { userId } = requireAccount(ctx);
  await inTransaction(ctx, async (tx) => {
    await lockNamed(tx, `export:${userId}`);
    await requireExport(tx, id);
    await tx.db.update(dataExports).set({ begunAt: tx.now() }).where(eq(dataExports.id, id));
  });
  const zip = makeZip(filesOf(ctx, await ownerOf(ctx, userId))).getReader();
  const end = async () => {
    await ctx.db.update(dataExports).set({ endedAt: ctx.now() }).where(eq(dataExports.id, id));
  };
  return new ReadableStream({
    async pull(line) {
      try {
        const { done, value } = await zip.read();
        if (!done) return line.enqueue(value);
        await end();
        line.close();
      } catch (error) {
        ctx.services.log.error('A download of somebody’s data broke off', { error });
        await end().catch(() => {});
        line.error(error);
      }
    },
    async cancel(why) {
      await zip.cancel(why).catch(() => {});
      await end();
    },
  });
}
