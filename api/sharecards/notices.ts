import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { type CardAnswer, inTurn } from './cards.ts';
import { drawNotice, noticeOf, noticePath, noticeVersion } from './notice.ts';

/** So many cards of posts are kept in memory, some 50 kB each: a link is fetched a few times soon after it was sent. Nothing is stored. */
const most = 60;
const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/**
 * The share card of a post: a notice in the colour of its category. Any version but the present one leads there, so that nothing is drawn
 * for a made-up address. Refuses `connect.notFound`, also for a post that was taken down.
 */
export async function noticeCard(
  ctx: Ctx,
  reference: string,
  language: Language,
  version: string | undefined,
): Promise<CardAnswer> {
  const p = schema.connectPosts;
  const [post] = await ctx.db
    .select()
    .from(p)
    .where(and(eq(p.reference, reference), isNull(p.hiddenAt)));
  if (!post) throw new Refusal('connect.notFound');
  const notice = noticeOf(post, language);
  const present = noticeVersion(notice);
  const path = noticePath(reference, language, present);
  if (version !== present) return { kind: 'moved', to: path };
  const drawn = kept.get(path) ?? inTurn(() => drawNotice(ctx.services, notice));
  kept.delete(path);
  // The one used last stands last; what failed is drawn anew the next time.
  kept.set(path, drawn);
  drawn.catch(() => kept.delete(path));
  for (const [oldest] of kept) if (kept.size > most) kept.delete(oldest);
  return { kind: 'card', bytes: await drawn };
}
