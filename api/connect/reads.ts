import { and, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { postCategories, postStatuses } from '../../db/vocabularies.ts';
import { requireAccount } from '../core/access.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { isLeaving } from '../people/staying.ts';
import { forgiven, wordsWithHits } from '../search/forgive.ts';
import { hasWords } from '../search/query.ts';
import type { Source } from '../search/vocabulary.ts';
import { Refusal } from '../shared/errors.ts';
import { searchWords } from '../shared/search.ts';
import type { Post } from './post.ts';
import { ageOf, canWith } from './rules.ts';
import { postCardUrls } from './shareCard.ts';

const { connectPosts: p, connectResponses: r, connectUpdates: u, connectFigures: f, user } = schema;
const pageSize = 20;
const mostShown = 100;
/** Up to this many hits are looked up by id; above it, scanning the feed finds a page faster. */
const mostFew = 200;

type Category = (typeof postCategories)[number];
type Figures = { views: number; responses: number };

/** Page cursor: milliseconds of the last update, and the post's id. */
const cursors = /^(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

async function pageOf(ctx: Ctx, where: SQL | undefined, after: string | undefined) {
  const cursor = cursors.exec(after ?? '');
  const behind =
    cursor &&
    sql`(${p.updatedAt}, ${p.id}) < (${new Date(Number(cursor[1])).toISOString()}::timestamptz, ${cursor[2]}::uuid)`;
  const rows = await ctx.db
    .select(columns)
    .from(p)
    .where(and(where, behind ?? undefined))
    .orderBy(sql`${p.updatedAt} desc, ${p.id} desc`)
    .limit(pageSize + 1);
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  const next = rows.length > pageSize && last ? `${last.updatedAt.getTime()}.${last.id}` : null;
  const figures = await figuresOf(
    ctx,
    shown.map(({ id }) => id),
  );
  return {
    posts: shown.map((post) =>
      present(ctx, post, figures.get(post.id) ?? { views: 0, responses: 0 }),
    ),
    next,
  };
}

/** Leaves out the search columns. The phone number never leaves this module. */
const columns = {
  id: p.id,
  reference: p.reference,
  userId: p.userId,
  title: p.title,
  description: p.description,
  category: p.category,
  location: p.location,
  city: p.city,
  region: p.region,
  regionCode: p.regionCode,
  budgetMin: p.budgetMin,
  budgetMax: p.budgetMax,
  contactWhatsapp: p.contactWhatsapp,
  tags: p.tags,
  status: p.status,
  createdAt: p.createdAt,
  updatedAt: p.updatedAt,
  hiddenAt: p.hiddenAt,
  hiddenReason: p.hiddenReason,
};
type Row = Pick<Post, keyof typeof columns>;

async function figuresOf(ctx: Ctx, ids: string[]): Promise<Map<string, Figures>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .select({
      id: p.id,
      views: f.views,
      responses: sql<number>`(select count(*)::int from ${r} where ${r.postId} = ${p.id})`,
    })
    .from(p)
    .leftJoin(f, eq(f.postId, p.id))
    .where(inArray(p.id, ids));
  return new Map(rows.map(({ id, views, responses }) => [id, { views: views ?? 0, responses }]));
}

const amountOf = (budget: string | null) => (budget === null ? null : Number(budget));

function present(
  ctx: Ctx,
  { id: _, userId, contactWhatsapp, budgetMin, budgetMax, hiddenReason, ...post }: Row,
  { views, responses }: Figures,
) {
  const mine = userId === userIdOf(ctx.actor);
  return {
    ...post,
    budgetMin: amountOf(budgetMin),
    budgetMax: amountOf(budgetMax),
    createdAt: post.createdAt.toISOString(),
    updatedAt: post.updatedAt.toISOString(),
    hiddenAt: post.hiddenAt?.toISOString() ?? null,
    hiddenReason: mine ? hiddenReason : null,
    age: ageOf(post.updatedAt, ctx.now()),
    mine,
    views: mine ? views : null,
    responses,
    hasNumber: contactWhatsapp !== null,
    can: canWith(ctx, { ...post, userId, contactWhatsapp }),
  };
}

/**
 * Ids of the posts with all words, or undefined above {@link mostFew}. Postgres takes an unknown
 * word for a common one and would read the whole feed; `materialized` makes it use the word index.
 */
async function fewWith(
  ctx: Ctx,
  words: readonly string[],
  reference: string,
): Promise<string[] | undefined> {
  const found = await ctx.db.execute<{ id: string }>(sql`
    with found as materialized (
      select ${p.id} from ${p} where ${hasWords(p.search, words)}
      union select ${p.id} from ${p} where ${p.reference} = ${reference})
    select id from found limit ${mostFew + 1}`);
  return found.length > mostFew ? undefined : found.map(({ id }) => id);
}

type FeedQuery = {
  search?: string | undefined;
  category?: Category | 'all';
  after?: string | undefined;
};

/**
 * Active posts by last update (product §2). If none has the words, `corrected` holds those that were
 * searched instead of misspelt ones (decision 070).
 */
export async function feed(ctx: Ctx, query: FeedQuery) {
  const { search = '' } = query;
  const words = searchWords(search);
  const read = await feedWith(ctx, query, words, search.trim().toLowerCase());
  const meant =
    read.posts.length === 0 && words.length > 0
      ? await forgiven(ctx, words, feedWords(ctx.now()), (some) =>
          wordsWithHits(
            ctx,
            some,
            (wanted) => sql`select from ${p} where ${and(isShown, sql`${p.search} @@ ${wanted}`)}`,
          ),
        )
      : undefined;
  return {
    ...(meant ? await feedWith(ctx, query, meant, '') : read),
    corrected: meant?.join(' ') ?? null,
  };
}

const isShown = and(eq(p.status, 'active'), isNull(p.hiddenAt));
/** Posts whose words are known for corrections. */
const mostRemembered = 3000;
const newest = sql`from ${p} where ${isShown} order by ${p.updatedAt} desc, ${p.id} desc limit ${mostRemembered}`;
/** Read again after so long: a long feed is too much to look through for every unknown word. */
const rememberedMs = 300_000;
const feedWords = (now: Date): Source => ({
  name: 'connect',
  version: sql`${Math.floor(now.getTime() / rememberedMs)}::bigint`,
  texts: sql`select ${p.words} as words ${newest}`,
});

async function feedWith(
  ctx: Ctx,
  { category = 'all', after }: FeedQuery,
  words: readonly string[],
  reference: string,
) {
  const few = words.length > 0 ? await fewWith(ctx, words, reference) : undefined;
  return pageOf(
    ctx,
    and(
      isShown,
      category === 'all' ? undefined : eq(p.category, category),
      few
        ? inArray(p.id, few)
        : words.length > 0
          ? or(hasWords(p.search, words), eq(p.reference, reference))
          : undefined,
    ),
    after,
  );
}

/** Refuses `signInRequired`. */
export async function myPosts(
  ctx: Ctx,
  { status, after }: { status: (typeof postStatuses)[number]; after?: string | undefined },
) {
  const { userId } = requireAccount(ctx);
  return pageOf(ctx, and(eq(p.userId, userId), eq(p.status, status)), after);
}

/**
 * A post with its updates, and for its owner the names of responders. Of a closed post, others who
 * did not respond see only title, category and date. Refuses `connect.notFound`, also for another's
 * hidden post.
 */
export async function readPost(ctx: Ctx, reference: string) {
  const [row] = await ctx.db.select(columns).from(p).where(eq(p.reference, reference));
  const userId = userIdOf(ctx.actor);
  if (!row || (row.hiddenAt && row.userId !== userId)) throw new Refusal('connect.notFound');
  const [own] = userId
    ? await ctx.db
        .select({ id: r.id })
        .from(r)
        .where(and(eq(r.postId, row.id), eq(r.userId, userId)))
    : [];
  const figures = await figuresOf(ctx, [row.id]);
  const post = present(ctx, row, figures.get(row.id) ?? { views: 0, responses: 0 });
  const responded = own !== undefined;
  const shareCard = postCardUrls(ctx, row);
  if (post.status === 'closed' && !post.mine && !responded)
    return {
      closed: true as const,
      reference,
      title: post.title,
      category: post.category,
      createdAt: post.createdAt,
      shareCard,
    };
  const updates = await ctx.db
    .select()
    .from(u)
    .where(eq(u.postId, row.id))
    .orderBy(desc(u.timestamp), desc(u.id))
    .limit(mostShown);
  const responses = post.mine
    ? await ctx.db
        .select({ name: user.name, createdAt: r.createdAt })
        .from(r)
        .leftJoin(user, eq(user.id, r.userId))
        .where(eq(r.postId, row.id))
        .orderBy(desc(r.createdAt), desc(r.id))
        .limit(mostShown)
    : [];
  return {
    closed: false as const,
    ...post,
    shareCard,
    responded,
    // A member who has paid can still reach the owner.
    can: {
      ...post.can,
      respond: post.can.respond || (responded && post.hasNumber),
      toggle: post.can.toggle && !(await isLeaving(ctx, row.userId)),
    },
    updates: updates.map(({ id, type, message, timestamp }) => ({
      id,
      type,
      message,
      timestamp: timestamp.toISOString(),
    })),
    responders: responses.map(({ name, createdAt }) => ({
      name,
      createdAt: createdAt.toISOString(),
    })),
  };
}

export async function openPosts(
  { db }: Ctx,
  most: number,
): Promise<{ reference: string; updatedAt: Date }[]> {
  return db
    .select({ reference: p.reference, updatedAt: p.updatedAt })
    .from(p)
    .where(and(eq(p.status, 'active'), isNull(p.hiddenAt)))
    .orderBy(sql`${p.updatedAt} desc, ${p.id} desc`)
    .limit(most);
}
