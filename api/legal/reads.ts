import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { defaultLanguage, inEveryLanguage, type Language } from '../../locales/languages.ts';
import { openToEveryone, requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { legalHtml } from './markdown.ts';
import { answerDays, type legalPages } from './schema.ts';
import { currentVersion, newestTexts } from './version.ts';

/** A legal page: HTML of the operator's own text, null where the market's own holds. */
export async function legalPage(
  ctx: Ctx,
  page: (typeof legalPages)[number],
  language: Language,
): Promise<{ since: string; html: string | null }> {
  openToEveryone(ctx);
  const text = (await newestTexts(ctx))?.[page];
  const { since } = await currentVersion(ctx);
  // A language that was added later reads the first one.
  return { since, html: text ? legalHtml(text[language] ?? text[defaultLanguage]) : null };
}

const none = inEveryLanguage(() => '');

/** The present texts as they were typed, and how many accounts have agreed to them. */
export async function publishedTexts(ctx: Ctx) {
  requireAdmin(ctx);
  const { user } = schema;
  const newest = await newestTexts(ctx);
  const version = await currentVersion(ctx);
  return {
    number: newest?.number ?? 0,
    terms: newest?.terms ?? none,
    privacy: newest?.privacy ?? none,
    since: version.since,
    agreed: await ctx.db.$count(user, eq(user.agreedTo, version.id)),
    accounts: await ctx.db.$count(user),
  };
}

/** Requests about personal data, the open ones first and the oldest of these first; up to 200. */
export async function dataRequests(ctx: Ctx) {
  requireAdmin(ctx);
  const { dataRequests: r } = schema;
  const rows = await ctx.db
    .select()
    .from(r)
    .orderBy(sql`${r.closedAt} desc nulls first`, asc(r.receivedAt), asc(r.id))
    .limit(200);
  return {
    requests: rows.map(({ recordedBy: _, closedBy: __, receivedAt, closedAt, ...row }) => ({
      ...row,
      receivedAt: receivedAt.toISOString(),
      dueAt: dueAt(receivedAt).toISOString(),
      closedAt: closedAt?.toISOString() ?? null,
    })),
  };
}

const dayMs = 86_400_000;
const dueAt = (receivedAt: Date) => new Date(receivedAt.getTime() + answerDays * dayMs);

/** Open requests that must be answered within a week, or should have been. */
export async function requestsDue(ctx: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  const { dataRequests: r } = schema;
  const soon = new Date(ctx.now().getTime() - (answerDays - 7) * dayMs);
  return ctx.db.$count(r, and(isNull(r.closedAt), lte(r.receivedAt, soon)));
}
