import { desc, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

/** When the market's own terms and page on privacy last changed. */
const ownSince = '2026-11-28';
const { legalTexts } = schema;

/** `id` is what an agreement names; the texts hold from the moment `since`. */
export type Version = { id: string; since: string };

/** Version of the market's own texts. */
export const ownVersion: Version = {
  id: `0-${ownSince.replaceAll('-', '')}`,
  since: `${ownSince}T00:00:00+01:00`,
};

/** The texts that an operator published last; undefined where none were. */
export async function newestTexts({ db }: Pick<Ctx, 'db'>) {
  const [newest] = await db.select().from(legalTexts).orderBy(desc(legalTexts.number)).limit(1);
  return newest;
}

/**
 * The version of the terms and of the page on privacy that holds now. Where one of them is the
 * market's own, a change of that makes a new version too.
 */
export async function currentVersion(ctx: Pick<Ctx, 'db'>): Promise<Version> {
  // Read with most acts of an account: without the texts, which are long.
  const [newest] = await ctx.db
    .select({
      number: legalTexts.number,
      publishedAt: legalTexts.publishedAt,
      isWhole: sql<boolean>`${legalTexts.terms} is not null and ${legalTexts.privacy} is not null`,
    })
    .from(legalTexts)
    .orderBy(desc(legalTexts.number))
    .limit(1);
  if (!newest) return ownVersion;
  const { number, publishedAt, isWhole } = newest;
  const published = { id: String(number), since: publishedAt.toISOString() };
  if (isWhole) return published;
  const [, own] = ownVersion.id.split('-');
  const since = publishedAt < new Date(ownVersion.since) ? ownVersion.since : published.since;
  return { id: `${number}-${own}`, since };
}
